import { Injectable } from '@nestjs/common';
import type { Anchor } from './anchors';
import { AuditChainRepository } from './audit-chain.repository';
import { changed, type ChainFault, unsealed } from './chain-faults';
import { ChainWalk } from './chain-walk';
import { removedLink } from './removal';
import { hashOf, type Link, ORIGIN } from './seal';

/** The result of a verification. */
export interface ChainReport {
  /** Events that are what was sealed, up to the end or to the fault. */
  readonly verified: number;
  /** Newer ones, which the next run of the service seals; at most 100,000 are counted. */
  readonly unsealed: number;
  /** The last link of what was removed at the end of its retention period; null when nothing was. */
  readonly begin: Link | null;
  /** The newest link. */
  readonly end: Link;
  readonly fault: ChainFault | null;
}

/** Options of a verification. */
export interface VerifyOptions {
  /** Links that were written down, by their sequence. */
  readonly anchors?: ReadonlyMap<bigint, Anchor>;
  /** Called after each page: how many events of how many were looked at. */
  readonly onPage?: (done: number, all: number) => void;
}

/** Where a chain begins, as far as that can be believed. */
interface Begin {
  readonly link: Link;
  readonly fault?: ChainFault;
}

/** Rows that are in memory at a time. */
const PAGE = 1_000;

/** Tells whether audit events are what was sealed, and where they are first not. */
@Injectable()
export class AuditVerifier {
  constructor(private readonly chain: AuditChainRepository) {}

  /** Verifies the whole chain, page by page. It locks nothing. */
  async verify({ anchors = new Map(), onPage }: VerifyOptions = {}): Promise<ChainReport> {
    for (;;) {
      const end = await this.chain.head();
      const begin = await this.findBegin(end);
      const walk = new ChainWalk(begin.link, anchors);
      const fault = begin.fault ?? (await this.walk(walk, end, onPage)) ?? walk.end();
      if (fault && (await this.hasMoved(begin))) continue;
      return {
        verified: walk.verified,
        unsealed: await this.chain.countAfter(end.eventId),
        begin: begin.link === ORIGIN ? null : begin.link,
        end,
        fault: fault ?? null,
      };
    }
  }

  private async walk(
    walk: ChainWalk,
    end: Link,
    onPage: VerifyOptions['onPage'],
  ): Promise<ChainFault | undefined> {
    const all = Number(end.sequence - walk.last.sequence);
    while (walk.last.sequence < end.sequence) {
      const seals = await this.chain.sealsIn({ after: walk.last.sequence, upTo: end.sequence, limit: PAGE });
      const upTo = seals.reduce((most, { eventId }) => (eventId > most ? eventId : most), walk.last.eventId);
      // One more than there are seals: with it an inserted one is seen.
      const limit = seals.length + 1;
      const events = await this.chain.eventsIn({ after: walk.last.eventId, upTo, limit });
      const fault = walk.take(seals, events);
      if (fault) return fault;
      onPage?.(walk.verified, all);
    }
    return undefined;
  }

  /** The event that says where the chain begins is verified ahead of all others, for they are judged by it. */
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
    const isWhole = hashOf(before.hash, seal, removal) === seal.hash;
    return isWhole ? { link } : { link: ORIGIN, fault: changed(removal, seal.sequence) };
  }

  /** Whether events were removed meanwhile, as they may be: then pages lack them. */
  private async hasMoved(begin: Begin): Promise<boolean> {
    const { link } = await this.findBegin(await this.chain.head());
    return link.sequence > begin.link.sequence;
  }
}
