import { hash } from 'node:crypto';
import type { AuditEvent } from '../../../platform/audit/audit-event.entity';

/** An audit event as it is stored: every column, instants as `2026-01-31 12:00:00.000` in UTC. */
export type StoredAuditEvent = Readonly<Omit<AuditEvent, 'at'>> & { readonly at: string };

/** A link of the chain. */
export interface Link {
  readonly sequence: bigint;
  readonly eventId: bigint;
  readonly hash: string;
}

/** A link as it is stored, its instant in the format of an event's. */
export interface StoredSeal extends Link {
  readonly sealedAt: string;
}

/** The predecessor of the first link. */
export const ORIGIN: Link = { sequence: 0n, eventId: 0n, hash: '0'.repeat(64) };

/**
 * The hash that seals an event: SHA-256 over the canonical JSON (RFC 8785) of all its columns, its position in the chain and
 * the hash of the previous link. Integers are strings, because RFC 8785 has no exact integers.
 */
export function eventHash(
  previous: string,
  { sequence, sealedAt }: Pick<StoredSeal, 'sequence' | 'sealedAt'>,
  event: StoredAuditEvent,
): string {
  const members = { ...event, id: String(event.id), previous, sealedAt, sequence: String(sequence) };
  // Canonical JSON demands the order of the names.
  const text = JSON.stringify(members, Object.keys(members).sort());
  return hash('sha256', text);
}

/** Formats an instant for hashing. */
export function instantText(instant: Date): string {
  return instant.toISOString().replace('T', ' ').replace('Z', '');
}

/** Formats a stored time as ISO 8601; returns anything else unchanged. */
export function readableInstant(text: unknown): string {
  return String(text).replace(/^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}\.\d{3})$/, '$1T$2Z');
}
