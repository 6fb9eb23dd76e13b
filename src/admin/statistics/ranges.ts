import { MINUTE_MS } from '../../platform/values/calendar';

/** A span of time that ends now, and the steps in which it is shown. */
export interface Range {
  /** Value of the parameter `range`. */
  readonly name: string;
  readonly label: string;
  /** Wording in a sentence: `the last 6 hours`. */
  readonly span: string;
  readonly steps: number;
  readonly stepMinutes: number;
  /** Wording of one step: `5 minutes`. */
  readonly stepLabel: string;
}

export const RANGES: readonly Range[] = [
  { name: '1h', label: '1 hour', span: 'the last hour', steps: 60, stepMinutes: 1, stepLabel: 'minute' },
  {
    name: '6h',
    label: '6 hours',
    span: 'the last 6 hours',
    steps: 72,
    stepMinutes: 5,
    stepLabel: '5 minutes',
  },
  {
    name: '24h',
    label: '24 hours',
    span: 'the last 24 hours',
    steps: 96,
    stepMinutes: 15,
    stepLabel: '15 minutes',
  },
  {
    name: '2d',
    label: '2 days',
    span: 'the last 2 days',
    steps: 96,
    stepMinutes: 30,
    stepLabel: '30 minutes',
  },
];

/** Finds the range of a name; six hours by default. */
export function rangeNamed(name: string | null): Range {
  return RANGES.find((range) => range.name === name) ?? (RANGES[1] as Range);
}

/**
 * Shortens a range to the time for which there is data, in the finer steps of a shorter range.
 *
 * @param minutes length of the time for which there is data
 */
export function fittedRange(range: Range, minutes: number): Range {
  if (minutes >= minutesOf(range)) return range;
  const { steps: most, stepMinutes, stepLabel } = RANGES.find((each) => minutes <= minutesOf(each)) ?? range;
  const steps = Math.min(most, Math.max(1, Math.ceil(minutes / stepMinutes)));
  return { ...range, steps, stepMinutes, stepLabel };
}

/** Length of a range in minutes. */
export function minutesOf({ steps, stepMinutes }: Range): number {
  return steps * stepMinutes;
}

/** The minute in which a range begins. */
export function beginOf(range: Range): Date {
  return new Date(Math.floor(Date.now() / MINUTE_MS - minutesOf(range)) * MINUTE_MS);
}
