import { defineError } from '../errors/app-error';
import { readDate, readDateTime, startOfDay } from './text-formats';

/** The text of an operator is not a value of the required form; the message says how to write it. */
export const InvalidValueError = defineError({
  code: 'invalid_value',
  status: 422,
  message: 'The value is not valid.',
});

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const LONGEST_MS = 36_500 * UNIT_MS.d;

/**
 * Reads a duration such as `30m`, `12h`, `90d` or `2w`; a day has 24 hours.
 *
 * @returns milliseconds, more than 0
 * @throws InvalidValueError
 */
export function parseDuration(text: string): number {
  const milliseconds = parseDurationOrZero(text);
  if (milliseconds === 0) throw new InvalidValueError('The duration must be longer than zero.');
  return milliseconds;
}

/** Does the same as {@link parseDuration}, and takes `0` with or without a unit. */
export function parseDurationOrZero(text: string): number {
  if (text === '0') return 0;
  const [, digits, unit] = /^(\d{1,9})([mhdw])$/.exec(text) ?? [];
  if (!unit) throw new InvalidValueError('Write a duration as 30m, 12h, 90d or 2w.');
  const milliseconds = Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS];
  if (milliseconds > LONGEST_MS) throw new InvalidValueError('The longest duration is 36500d.');
  return milliseconds;
}

/**
 * Reads a day such as `2026-01-31`.
 *
 * @throws InvalidValueError
 */
export function parseDay(text: string): string {
  const day = readDate(text);
  if (day === undefined) throw new InvalidValueError('Write a day as 2026-01-31.');
  return day;
}

/**
 * Reads a point in time such as `2026-01-31T12:00:00Z`; a day alone is its beginning in UTC.
 *
 * @throws InvalidValueError
 */
export function parseInstant(text: string): Date {
  const instant = startOfDay(text) ?? readDateTime(text);
  if (!instant) throw new InvalidValueError('Write a time as 2026-01-31 or 2026-01-31T12:00:00Z.');
  return instant;
}
