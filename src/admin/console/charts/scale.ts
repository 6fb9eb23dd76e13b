import { DAY_MS, MINUTE_MS } from '../../../platform/values/calendar';

/** The end of an axis and the values written on it. */
export interface Ticks {
  /** The value at the end of the axis. */
  readonly end: number;
  /** Values from 0 to the end. */
  readonly values: readonly number[];
}

/**
 * Picks round numbers from 0 to at least a largest value: 1, 2 or 5 times a power of ten apart.
 *
 * @param max the largest value; the axis ends at 1 if it is not above 0
 * @param steps maximum number of steps on the axis
 * @param isWhole true if only whole numbers make sense
 */
export function niceTicks(max: number, steps: number, isWhole: boolean): Ticks {
  // Division takes smaller numbers to 0, and nothing that is drawn is that small.
  const largest = Number.isFinite(max) && max > 1e-300 ? max : 1;
  const raw = largest / steps;
  const power = 10 ** Math.floor(Math.log10(raw));
  const factor = [1, 2, 5, 10].find((each) => each * power >= raw * (1 - 1e-9)) ?? 10;
  const step = isWhole ? Math.max(1, factor * power) : factor * power;
  const count = Math.max(1, Math.ceil(largest / step - 1e-9));
  const values = Array.from({ length: count + 1 }, (_, i) => rounded(i * step));
  return { end: values.at(-1) ?? 1, values };
}

/** Removes the error of floating point: 0.30000000000000004 becomes 0.3. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}

const HOUR_MS = 60 * MINUTE_MS;

/** Distances between ticks that are usual on clocks and calendars. */
const TIME_STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 14, 28, 91, 364].map((days) => days * DAY_MS),
];

/** An instant written on an axis. */
export interface TimeTick {
  readonly at: Date;
  /** Label in UTC: `14:30`, or the day at midnight. */
  readonly label: string;
}

/** Picks round instants in UTC from one instant to before another, dividing the time into at most `steps` steps. */
export function timeTicks(from: Date, to: Date, steps: number): TimeTick[] {
  const length = to.getTime() - from.getTime();
  if (!(length > 0)) return [];
  const last = TIME_STEPS_MS.at(-1) as number;
  const step =
    TIME_STEPS_MS.find((each) => length / each <= steps) ?? Math.ceil(length / steps / last) * last;
  const ticks: TimeTick[] = [];
  for (let at = Math.ceil(from.getTime() / step) * step; at < to.getTime(); at += step) {
    ticks.push({
      at: new Date(at),
      label: at % DAY_MS === 0 ? dayText(new Date(at)) : clockText(new Date(at)),
    });
  }
  return ticks;
}

/** Formats a time of day in UTC: `14:30`. */
export function clockText(at: Date): string {
  return at.toISOString().slice(11, 16);
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Formats a day in UTC: `21 Nov`. */
export function dayText(at: Date): string {
  return DAY.format(at);
}

/** The position of a value between the ends of an axis, from 0 to 1; 0 if the axis has no length. */
export function share(value: number, from: number, to: number): number {
  if (!(to > from)) return 0;
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}

/** Formats a number with as many digits as can be seen. */
export function digits(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Formats a share of the width as a percentage. */
export function across(part: number): string {
  return `${digits(100 * part)}%`;
}
