import { hash } from 'node:crypto';

/** An audit event as it is stored: every column, instants as `2026-01-31 12:00:00.000` in UTC. */
export interface StoredAuditEvent {
  readonly id: bigint;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly requestId: string | null;
  readonly address: string | null;
}

/** A link of the chain. */
export interface Link {
  readonly sequence: bigint;
  readonly eventId: bigint;
  readonly hash: string;
}

/** A link as it is stored, its instant as that of an event. */
export interface StoredSeal extends Link {
  readonly sealedAt: string;
}

/** What the first link follows. */
export const ORIGIN: Link = { sequence: 0n, eventId: 0n, hash: '0'.repeat(64) };

/**
 * The hash that seals an event: SHA-256 over the canonical JSON (RFC 8785) of all its columns, the place in the chain and the hash of
 * the link before. Integers are texts, for RFC 8785 has no exact ones.
 */
export function hashOf(
  previous: string,
  { sequence, sealedAt }: Pick<StoredSeal, 'sequence' | 'sealedAt'>,
  { action, actor, address, after, at, before, id, requestId, subjectId, subjectType }: StoredAuditEvent,
): string {
  const text = JSON.stringify({
    // In the order of their names, which canonical JSON demands.
    action,
    actor,
    address,
    after,
    at,
    before,
    id: String(id),
    previous,
    requestId,
    sealedAt,
    sequence: String(sequence),
    subjectId,
    subjectType,
  });
  return hash('sha256', text);
}

/** An instant as it is hashed. */
export function instantText(instant: Date): string {
  return instant.toISOString().replace('T', ' ').replace('Z', '');
}

/** An instant as people and scripts read it; one that a hand has changed to something else, as it is. */
export function readableInstant(text: unknown): string {
  return String(text).replace(/^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}\.\d{3})$/, '$1T$2Z');
}
