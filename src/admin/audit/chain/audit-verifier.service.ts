import { Injectable } from '@nestjs/common';
import { PersonalValues } from '../../../platform/audit/personal-values';
import type { Anchor } from './anchors';
import { AuditChainRepository } from './audit-chain.repository';
import { changed, type ChainFault, unsealed } from './chain-faults';
import { ChainWalk } from './chain-walk';
import { PersonalCheck } from './personal-check';
import { removedLink } from './removed-link';
import { eventHash, type Link, ORIGIN } from './seal';

/** The result of a verification. */
export interface ChainReport {
  /** Events that match their seals, up to the end or the fault. */
  readonly verified: number;
  /** Personal values of these events that were erased. */
  readonly erased: number;
  /** Subjects whose erasure was interrupted, or goes on: `orders/17`. */
  readonly unfinished: readonly string[];
  /** Events after the last seal, which the next run of the service seals; at most 100,000 are counted. */
  readonly unsealed: number;
  /** The last link removed at the end of its retention period, or null. */
  readonly begin: Link | null;
  /** The newest link. */
  readonly end: Link;
  readonly fault: ChainFault | null;
}

/** Options of a verification. */
export interface VerifyOptions {
  /** Anchors by their sequence. */
  readonly anchors?: ReadonlyMap<bigint, Anchor>;
  /** Called after each page with the number of verified events and the number of all. */
  readonly onPage?: (done: number, all: number) => void;
}

/** The beginning of a chain, with a fault if the event that states it cannot be trusted. */
interface Begin {
  readonly link: Link;
  readonly fault?: ChainFault;
}

/** Rows in memory at a time. */
const PAGE = 1_000;

/** Compares audit events with their seals and finds the first fault. */
@Injectable()
export class AuditVerifier {
  constructor(
    private readonly chain: AuditChainRepository,
    private readonly values: PersonalValues,
  ) {}

  /** Verifies the whole chain, page by page. It locks nothing. */
  async verify({ anchors = new Map(), onPage }: VerifyOptions = {}): Promise<ChainReport> {
    for (;;) {
      const end = await this.chain.head();
      const begin = await this.findBegin(end);
      const walk = new ChainWalk(begin.link, anchors);
      const personal = new PersonalCheck(this.chain, this.values);
      const fault = begin.fault ?? (await this.walk(walk, personal, end, onPage)) ?? walk.end();
      if (fault && (await this.hasMoved(begin))) continue;
      return {
        verified: walk.verified,
        erased: personal.erased,
        unfinished: [...personal.unfinished],
        unsealed: await this.chain.countAfter(end.eventId),
        begin: begin.link === ORIGIN ? null : begin.link,
        end,
        fault: fault ?? null,
      };
    }
  }

  private async walk(
    walk: ChainWalk,
    personal: PersonalCheck,
    end: Link,
    onPage: VerifyOptions['onPage'],
  ): Promise<ChainFault | undefined> {
    const all = Number(end.sequence - walk.last.sequence);
    while (walk.last.sequence < end.sequence) {
      const seals = await this.chain.sealsIn({ after: walk.last.sequence, upTo: end.sequence, limit: PAGE });
      const upTo = seals.reduce((most, { eventId }) => (eventId > most ? eventId : most), walk.last.eventId);
      // One more than there are seals: it reveals an inserted event.
      const limit = seals.length + 1;
      const events = await this.chain.eventsIn({ after: walk.last.eventId, upTo, limit });
      const fault = walk.take(seals, events) ?? (await personal.faultOf(events, seals));
      if (fault) return fault;
      onPage?.(walk.verified, all);
    }
    return undefined;
  }

  /** Verifies the event that states where the chain begins before all others, which are judged by it. */
  private async findBegin(end: Link): Promise<Begin> {
    const removal = await this.chain.removalUpTo(end.eventId);
    if (!removal) return { link: ORIGIN };
    const seal = await this.chain.sealUpTo(removal.id);
    if (seal?.eventId !== removal.id) return { link: ORIGIN, fault: unsealed(removal, end.sequence) };
    const link = removedLink(removal.after);
    if (!link) return { link: ORIGIN, fault: changed(removal, seal.sequence) };
    const [before = link] = await this.chain.sealsIn({
      after: seal.sequence - 2n,
      upTo: seal.sequence - 1n,
      limit: 1,
    });
    const isWhole = eventHash(before.hash, seal, removal) === seal.hash;
    return isWhole ? { link } : { link: ORIGIN, fault: changed(removal, seal.sequence) };
  }

  /** True if events were removed in the meantime, as the retention job may: then pages lack them. */
  private async hasMoved(begin: Begin): Promise<boolean> {
    const { link } = await this.findBegin(await this.chain.head());
    return link.sequence > begin.link.sequence;
  }
}
