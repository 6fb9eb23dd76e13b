import { gauge } from './rule-series';

/** One look at an alert: given these numbers, does it fire at their end? */
export interface RuleCase {
  readonly alert: string;
  readonly when: string;
  readonly series: Readonly<Record<string, string>>;
  /** Minutes from the first number on. */
  readonly at: number;
  readonly fires: boolean;
  /** Minutes from number to number; 1 unless given. */
  readonly step?: number;
}

/** A state that a gauge tells, for as long as an alert waits, and for less, and not at all. */
export function state(alert: string, series: string, bad: number, good: number, minutes: number): RuleCase[] {
  return [
    {
      alert,
      when: `for ${minutes} minutes`,
      series: { [series]: gauge(bad, minutes + 2) },
      at: minutes + 1,
      fires: true,
    },
    {
      alert,
      when: 'for less',
      series: { [series]: `${gauge(good, 5)} ${gauge(bad, minutes)}` },
      at: 5 + minutes,
      fires: false,
    },
    {
      alert,
      when: 'not at all',
      series: { [series]: gauge(good, minutes + 2) },
      at: minutes + 1,
      fires: false,
    },
  ];
}
