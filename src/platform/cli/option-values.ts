import { InvalidArgumentError } from 'commander';
import { parseDecimalInt64 } from '../values/int64';
import { readDate, readDateTime, startOfDay } from '../values/text-formats';

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const LONGEST_MS = 36_500 * UNIT_MS.d;

/**
 * Reads a duration such as `30m`, `12h`, `90d` or `2w`; a day has 24 hours.
 *
 * @returns milliseconds, more than 0
 * @throws InvalidArgumentError
 */
export function readDuration(text: string): number {
  const milliseconds = readDurationOrZero(text);
  if (milliseconds === 0) throw new InvalidArgumentError('It must be longer than nothing.');
  return milliseconds;
}

/** As {@link readDuration}, and `0` with or without a unit. */
export function readDurationOrZero(text: string): number {
  if (text === '0') return 0;
  const [, digits, unit] = /^(\d{1,9})([mhdw])$/.exec(text) ?? [];
  if (!unit) throw new InvalidArgumentError('Write it as 30m, 12h, 90d or 2w.');
  const milliseconds = Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS];
  if (milliseconds > LONGEST_MS) throw new InvalidArgumentError('It must be at most 36500d.');
  return milliseconds;
}

/**
 * Reads a positive whole number.
 *
 * @throws InvalidArgumentError
 */
export function readCount(text: string): number {
  if (!/^[1-9]\d{0,11}$/.test(text)) {
    throw new InvalidArgumentError('It must be a whole number from 1 to 999999999999.');
  }
  return Number(text);
}

/**
 * Takes a text as it is. One that looks like an option is refused: it shows that the value was forgotten.
 *
 * @throws InvalidArgumentError
 */
export function readText(value: string): string {
  if (value.startsWith('--'))
    throw new InvalidArgumentError('It looks like an option; the value is missing.');
  if (value.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return value;
}

/** Reads names separated by commas; the option may be given several times. */
export function readNames(value: string, before: readonly string[] = []): string[] {
  return [
    ...before,
    ...readText(value)
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  ];
}

/**
 * Reads a day such as `2026-01-31`.
 *
 * @throws InvalidArgumentError
 */
export function readDay(text: string): string {
  const day = readDate(text);
  if (day === undefined) throw new InvalidArgumentError('Write a day as 2026-01-31.');
  return day;
}

/**
 * Reads an instant such as `2026-01-31T12:00:00Z`; a day alone is its beginning in UTC.
 *
 * @throws InvalidArgumentError
 */
export function readInstant(text: string): Date {
  const instant = startOfDay(text) ?? readDateTime(text);
  if (!instant) throw new InvalidArgumentError('Write it as 2026-01-31 or 2026-01-31T12:00:00Z.');
  return instant;
}

/**
 * Reads the id of something stored.
 *
 * @throws InvalidArgumentError
 */
export function readId(text: string): bigint {
  const id = parseDecimalInt64(text);
  if (id === undefined) throw new InvalidArgumentError('It must be an integer.');
  return id;
}
