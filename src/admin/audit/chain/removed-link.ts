import { readJson } from '../../../platform/values/json-reader';
import type { Removal } from '../removal';
import type { Link } from './seal';

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
