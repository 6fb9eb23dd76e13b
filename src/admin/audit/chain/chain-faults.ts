import type { Anchor } from './anchors';
import { type Link, readableInstant, type StoredAuditEvent, type StoredSeal } from './seal';

/** The first fault of a chain. The members are stable: scripts read them. */
export interface ChainFault {
  readonly kind: 'changed' | 'missing' | 'unsealed' | 'reordered' | 'rewritten' | 'cut';
  /** Position in the chain. */
  readonly sequence: bigint;
  /** The event at fault; for an event that is gone with its seal, the one before it. */
  readonly eventId: bigint;
  /** Time of the event; for a missing one, the time of its seal or its anchor; null if neither is known. */
  readonly at: string | null;
  readonly message: string;
}

/** The fault of an event that does not match its seal. */
export function changed(event: StoredAuditEvent, sequence: bigint): ChainFault {
  const at = readableInstant(event.at);
  const message = `Event ${event.id} of ${at} does not match its seal: the event, its seal or the seal before was changed.`;
  return { kind: 'changed', sequence, eventId: event.id, at, message };
}

/** The fault of an event without a seal at its position. */
export function unsealed(event: StoredAuditEvent, sequence: bigint): ChainFault {
  const at = readableInstant(event.at);
  const message = `Event ${event.id} of ${at} has no seal at its position: it was inserted, or its seal was removed or moved.`;
  return { kind: 'unsealed', sequence, eventId: event.id, at, message };
}

export function missing({ sequence, eventId, sealedAt }: StoredSeal): ChainFault {
  const at = readableInstant(sealedAt);
  return {
    kind: 'missing',
    sequence,
    eventId,
    at,
    message: `Event ${eventId}, which was sealed at ${at}, is missing.`,
  };
}

export function gone({ sequence, eventId }: Link): ChainFault {
  const place = sequence + 1n;
  const message = `Number ${place} of the chain, after event ${eventId}, is missing with its event.`;
  return { kind: 'missing', sequence: place, eventId, at: null, message };
}

export function reordered({ sequence, eventId, sealedAt }: StoredSeal): ChainFault {
  const message = `Event ${eventId} is number ${sequence} of the chain, after events that came later: the order was changed.`;
  return { kind: 'reordered', sequence, eventId, at: readableInstant(sealedAt), message };
}

export function rewritten(event: StoredAuditEvent, anchor: Anchor): ChainFault {
  const { sequence } = anchor;
  const message = `The chain was rebuilt up to number ${sequence}, event ${event.id}, or further: its hash differs from the anchor of ${anchor.at}.`;
  return { kind: 'rewritten', sequence, eventId: event.id, at: readableInstant(event.at), message };
}
