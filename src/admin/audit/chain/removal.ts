import { readJson } from '../../../platform/values/json-reader';
import type { Link } from './seal';

/** What the event about a removal is called, and what it is about. */
export const REMOVAL = {
  action: 'audit.remove',
  subject: { type: 'audit', id: 'events' },
} as const;

/** What the event about a removal says: the chain begins behind this link. The database lets go of nothing newer. */
export interface Removal {
  /** Events from before this instant were removed. */
  readonly before: Date;
  readonly lastSequence: bigint;
  readonly lastEventId: bigint;
  readonly lastHash: string;
}

/** The last link that was removed. @returns undefined of what says of none */
export function removedLink(after: string | null): Link | undefined {
  try {
    const { lastSequence, lastEventId, lastHash } = readJson(Buffer.from(after ?? '')) as Partial<Removal>;
    if (typeof lastSequence !== 'bigint' || typeof lastEventId !== 'bigint') return undefined;
    return typeof lastHash === 'string'
      ? { sequence: lastSequence, eventId: lastEventId, hash: lastHash }
      : undefined;
  } catch {
    return undefined;
  }
}
