import { readJson } from '../../../platform/values/json-reader';
import type { Link } from './seal';

/** Action and subject of the event about a removal. */
export const REMOVAL = {
  action: 'audit.remove',
  subject: { type: 'audit', id: 'events' },
} as const;

/** Content of the event about a removal: the chain begins after this link. The database refuses to delete newer events. */
export interface Removal {
  /** Events from before this instant were removed. */
  readonly before: Date;
  readonly lastSequence: bigint;
  readonly lastEventId: bigint;
  readonly lastHash: string;
}

/** The last link that was removed, as the event about a removal states it. @returns undefined if the text states no link */
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
