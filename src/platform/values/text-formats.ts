const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** PostgreSQL has no year 0, and years beyond four digits have no form in RFC 3339. */
export const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00Z');
export const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** Returns a full-date of RFC 3339 that is in the calendar, unchanged; undefined for anything else. */
export function readDate(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [, year = '', month = '', day = ''] = DATE.exec(value) ?? [];
  // The constructor would take the years 0 to 99 for those of the last century.
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return year > '0000' && date.toISOString().startsWith(value) ? value : undefined;
}

/**
 * Returns the time of a date-time of RFC 3339, section 5.6, cut to the millisecond; undefined for anything else, also for a
 * leap second, which no `Date` can hold.
 */
export function readDateTime(value: unknown): Date | undefined {
  if (typeof value !== 'string') return undefined;
  const [, date] = DATE_TIME.exec(value) ?? [];
  if (date === undefined || readDate(date) === undefined) return undefined;
  // V8 loses the leading zeros of a fraction of ten or more digits.
  const instant = new Date(value.toUpperCase().replace(/(\.\d{3})\d+/, '$1'));
  return instant.getTime() >= FIRST_INSTANT && instant.getTime() <= LAST_INSTANT ? instant : undefined;
}

/** Does the same as {@link readDateTime}, but rounds a time between two milliseconds up to the next. */
export function readDateTimeUp(value: unknown): Date | undefined {
  const instant = readDateTime(value);
  const isBetween = instant !== undefined && /\.\d{3}0*[1-9]/.test(value as string);
  return isBetween ? new Date(Math.min(instant.getTime() + 1, LAST_INSTANT)) : instant;
}

/** Returns the beginning in UTC of a day that {@link readDate} takes; undefined for anything else. */
export function startOfDay(text: string): Date | undefined {
  return readDateTime(`${text}T00:00:00Z`);
}

/** Returns a UUID in the text form of RFC 9562, in lower case; undefined for anything else. */
export function readUuid(value: unknown): string | undefined {
  return typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : undefined;
}
