import type { Anchor } from './anchors';
import { changed, type ChainFault, gone, missing, reordered, rewritten, unsealed } from './chain-faults';
import { eventHash, type Link, type StoredAuditEvent, type StoredSeal } from './seal';

/** Follows a chain from link to link, and stops at the first fault. */
export class ChainWalk {
  /** Events that match their seals. */
  verified = 0;

  /**
   * @param last the link before the first one to check
   * @param anchors anchors by their sequence
   */
  constructor(
    public last: Link,
    private readonly anchors: ReadonlyMap<bigint, Anchor>,
  ) {}

  /**
   * Checks the next links.
   *
   * @param events all stored events after the last link, up to the event of the last seal
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

  /** The fault of a chain that ends before an anchor. */
  end(): ChainFault | undefined {
    const beyond = [...this.anchors.values()].filter(({ sequence }) => sequence > this.last.sequence);
    const [first] = beyond.sort((a, b) => (a.sequence < b.sequence ? -1 : 1));
    if (!first) return undefined;
    const { sequence, eventId, at } = first;
    const message = `The chain was cut: it ends at number ${this.last.sequence}, but the anchor of ${at} has number ${sequence}, event ${eventId}.`;
    return { kind: 'cut', sequence, eventId, at, message };
  }

  /** @param event the next stored event */
  private faultOf(seal: StoredSeal, event: StoredAuditEvent | undefined): ChainFault | undefined {
    const { sequence, eventId, hash } = seal;
    const isNext = sequence === this.last.sequence + 1n;
    if (eventId <= this.last.eventId) return reordered(seal);
    if (event && event.id < eventId) return unsealed(event, this.last.sequence + 1n);
    if (!isNext) return gone(this.last);
    if (event?.id !== eventId) return missing(seal);
    if (eventHash(this.last.hash, seal, event) !== hash) return changed(event, sequence);
    const anchor = this.anchors.get(sequence);
    return anchor && anchor.hash !== hash ? rewritten(event, anchor) : undefined;
  }
}
