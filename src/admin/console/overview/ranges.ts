/** A span of time that ends now, and the steps it is shown in. */
export interface Range {
  /** What the parameter `range` says for it. */
  readonly name: string;
  readonly label: string;
  /** As it stands in a sentence: `the last 6 hours`. */
  readonly span: string;
  readonly steps: number;
  readonly stepMinutes: number;
  /** `5 minutes`. */
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

/** The range of a name, or six hours. */
export function rangeNamed(name: string | null): Range {
  return RANGES.find((range) => range.name === name) ?? (RANGES[1] as Range);
}

/** Fewer steps are too wide to look like a course of time. */
const LEAST_STEPS = 10;

/**
 * A range that is no longer than what there is to show, in the finer steps of a shorter one.
 *
 * @param minutes for how long there is something to show
 */
export function fittedRange(range: Range, minutes: number): Range {
  if (minutes >= minutesOf(range)) return range;
  const { steps: most, stepMinutes, stepLabel } = RANGES.find((each) => minutes <= minutesOf(each)) ?? range;
  const steps = Math.min(most, Math.max(LEAST_STEPS, Math.ceil(minutes / stepMinutes)));
  return { ...range, steps, stepMinutes, stepLabel };
}

/** How many minutes a range has. */
export function minutesOf({ steps, stepMinutes }: Range): number {
  return steps * stepMinutes;
}
