import { readDateTime, readDateTimeUp } from '../text-formats';
import type { Kind } from './kind';

/** A date and time without a zone, as browsers send it. */
const LOCAL_DATE_TIME = /^\d{4,}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/** A point in time with its offset (RFC 3339 date-time): a `Date` in DTOs and entities, to the millisecond, stored in UTC. */
export const dateTimeKind = {
  rule: () => ({
    schema: { type: 'string', format: 'date-time' },
    read: (value) => readDateTime(value) ?? value,
    isValid: (value) => value instanceof Date,
    sentence: 'must be a date and time with an offset such as 2026-01-31T09:30:00Z',
  }),
  // Stored times have whole milliseconds: those at or after this time begin at the next one.
  fromText: readDateTimeUp,
  column: {
    word: 'instant',
    type: Date,
    sqlite: 'datetime',
    // A timestamp without a zone would be read in the zone of the process that reads it.
    postgres: 'timestamp with time zone',
    isConvertedOnSqlite: true,
  },
  control: {
    type: 'datetime-local',
    attributes: { step: 'any' },
    canonical: canonicalTime,
    show: (text) => (readDateTime(text) ? text.replace(/(\.0+)?Z$/i, '') : text),
    help: 'In UTC.',
  },
  isTime: true,
} as const satisfies Kind<object>;

/** Controls for times have no time zone: here it is UTC. */
function canonicalTime(typed: string): string {
  const text = typed.trim();
  const local = LOCAL_DATE_TIME.exec(text);
  const full = local ? `${text.replace(' ', 'T')}${local[1] ? '' : ':00'}Z` : text;
  return readDateTime(full)?.toISOString() ?? text;
}
