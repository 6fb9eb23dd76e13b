import type { UsageSum } from '../../../auth/dto/operation-usage';
import type { Html } from '../../../platform/html/html';
import { dayOf } from '../../../platform/values/calendar';
import { Steps } from '../../statistics/steps';
import { exact } from '../ui/number-text';
import { chart } from './chart';
import { TONES } from './marks';

/** The days of a chart, and all calls there have ever been. */
interface UsagePeriod {
  /** Number of days, the last of which is today. */
  readonly days: number;
  /** Number of calls ever made: if all of them are of these days, the chart begins with the first. */
  readonly total: number;
  /** The address of the requests of a day, if there is one. */
  readonly pathOf: (from: Date, to: Date) => string | undefined;
}

/** Draws calls day by day: of the most frequent operations, and of all others together. */
export function usageChart(
  id: string,
  uses: readonly UsageSum<'day' | 'operation'>[],
  { days, total, pathOf }: UsagePeriod,
): Html {
  const steps = Steps.lastDays(days);
  const totals = new Map<string, number>();
  for (const { operation, count } of uses) totals.set(operation, (totals.get(operation) ?? 0) + count);
  const ranked = [...totals].sort(([, a], [, b]) => b - a).map(([operation]) => operation);
  const named = ranked.length > TONES.length ? ranked.slice(0, TONES.length - 1) : ranked;
  const others = ranked.slice(named.length);
  const valuesOf = (operations: readonly string[]) => {
    const byDay = new Map<string, number>();
    for (const { day, operation, count } of uses) {
      if (operations.includes(operation)) byDay.set(day, (byDay.get(day) ?? 0) + count);
    }
    return steps.instants.map((instant) => byDay.get(dayOf(instant)) ?? 0);
  };
  const parts = named.map((name) => ({ name, values: valuesOf([name]) }));
  if (others.length > 0) parts.push({ name: 'Others', values: valuesOf(others) });
  if (parts.length === 0) parts.push({ name: 'Calls', values: valuesOf([]) });
  const calls = [...totals.values()].reduce((sum, count) => sum + count, 0);
  return chart({
    id,
    title: 'Calls per day',
    summary: `${exact(calls)} calls in the last ${days} days${named[0] === undefined ? '' : `, most of them of ${named[0]}`}.`,
    steps,
    series: parts.map((part, i) => ({ ...part, tone: TONES[i] ?? 'faint' })),
    drawnAs: 'columns',
    total,
    pathOf,
  });
}
