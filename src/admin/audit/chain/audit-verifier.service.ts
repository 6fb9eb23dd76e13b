import { Injectable } from '@nestjs/common';
import type { Anchor } from './anchors';
import { AuditChainRepository } from './audit-chain.repository';
import { removedLink } from './removal';
import { hashOf, type Link, ORIGIN, readableInstant, type StoredAuditEvent, type StoredSeal } from './seal';

/** What a verification has found. */
export interface ChainReport {
  /** Events that are what was sealed, up to the end or to the fault. */
  readonly verified: number;
  /** Newer ones, which the next run of the service seals. */
  readonly unsealed: number;
  /** The last link of what was removed at the end of its retention period; null when nothing was. */
  readonly begin: Link | null;
  /** The newest link. */
  readonly end: Link;
  readonly fault: ChainFault | null;
}

/** What is wrong with a chain, where it is wrong first. The members are stable: scripts read them. */
export interface ChainFault {
  readonly kind: 'changed' | 'missing' | 'unsealed' | 'reordered' | 'rewritten' | 'cut';
  /** The place in the chain. */
  readonly sequence: bigint;
  /** The event at fault; of one that is gone with its seal, the one before it. */
  readonly eventId: bigint;
  /** When the event was recorded; of one that is gone, when it was sealed or its anchor was written, null when neither is known. */
  readonly at: string | null;
  readonly message: string;
}

/** How a chain is verified. */
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

/** Goes along a chain from link to link, and stops where it does not hold. */
class ChainWalk {
  /** Events that are what was sealed. */
  verified = 0;

  /**
   * @param last the link behind which it begins
   * @param anchors links that were written down, by their sequence
   */
  constructor(
    public last: Link,
    private readonly anchors: ReadonlyMap<bigint, Anchor>,
  ) {}

  /**
   * Takes the next links.
   *
   * @param events all that are there behind the last link, up to that of the last seal
   */
  take(seals: readonly StoredSeal[], events: readonly StoredAuditEvent[]): ChainFault | undefined {
    for (const [index, seal] of seals.entries()) {
      const fault = this.faultOf(seal, events[index]);
      if (fault) return fault;
      this.last = seal;
      this.verified += 1;
    }
    return undefined;
  }

  /** What is missing behind the last link, as far as anchors tell. */
  end(): ChainFault | undefined {
    const beyond = [...this.anchors.values()].filter(({ sequence }) => sequence > this.last.sequence);
    const [first] = beyond.sort((a, b) => (a.sequence < b.sequence ? -1 : 1));
    if (!first) return undefined;
    const { sequence, eventId, at } = first;
    const message = `The chain was cut: it ends with number ${this.last.sequence}, and the anchor of ${at} has number ${sequence}, event ${eventId}.`;
    return { kind: 'cut', sequence, eventId, at, message };
  }

  /** @param event the next one there is */
  private faultOf(seal: StoredSeal, event: StoredAuditEvent | undefined): ChainFault | undefined {
    const { sequence, eventId, hash } = seal;
    const isNext = sequence === this.last.sequence + 1n;
    if (eventId <= this.last.eventId) return reordered(seal);
    if (event && event.id < eventId) return unsealed(event, this.last.sequence + 1n);
    if (!isNext) return gone(this.last);
    if (event?.id !== eventId) return missing(seal);
    if (hashOf(this.last.hash, seal, event) !== hash) return changed(event, sequence);
    const anchor = this.anchors.get(sequence);
    return anchor && anchor.hash !== hash ? rewritten(event, anchor) : undefined;
  }
}

/** An event that does not match its seal. */
function changed(event: StoredAuditEvent, sequence: bigint): ChainFault {
  const at = readableInstant(event.at);
  const message = `Event ${event.id} of ${at} does not match its seal: the event, its seal or the seal before was changed.`;
  return { kind: 'changed', sequence, eventId: event.id, at, message };
}

/** An event that has no seal where it should have one. */
function unsealed(event: StoredAuditEvent, sequence: bigint): ChainFault {
  const at = readableInstant(event.at);
  const message = `Event ${event.id} of ${at} has no seal in its place: it was inserted, or its seal was removed or moved.`;
  return { kind: 'unsealed', sequence, eventId: event.id, at, message };
}

function missing({ sequence, eventId, sealedAt }: StoredSeal): ChainFault {
  const at = readableInstant(sealedAt);
  return {
    kind: 'missing',
    sequence,
    eventId,
    at,
    message: `Event ${eventId}, which was sealed at ${at}, is missing.`,
  };
}

function gone({ sequence, eventId }: Link): ChainFault {
  const place = sequence + 1n;
  const message = `Number ${place} of the chain, after event ${eventId}, is missing with its event.`;
  return { kind: 'missing', sequence: place, eventId, at: null, message };
}

function reordered({ sequence, eventId, sealedAt }: StoredSeal): ChainFault {
  const message = `Event ${eventId} is number ${sequence} of the chain, after events that came later: the order was changed.`;
  return { kind: 'reordered', sequence, eventId, at: readableInstant(sealedAt), message };
}

function rewritten(event: StoredAuditEvent, anchor: Anchor): ChainFault {
  const { sequence } = anchor;
  const message = `The chain was made anew up to number ${sequence}, event ${event.id}, or further: its hash is not that of the anchor of ${anchor.at}.`;
  return { kind: 'rewritten', sequence, eventId: event.id, at: readableInstant(event.at), message };
}
