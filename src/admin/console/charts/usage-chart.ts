import type { UsageSum } from '../../../auth/dto/operation-usage';
import type { Html } from '../../../platform/openapi/html';
import { DAY_MS, dayOf } from '../../../platform/values/calendar';
import type { Tone } from './chart';
import { columnChart } from './column-chart';
import { firstOf } from './history';
import { exact } from '../ui/number-text';

/** Uses of operations by day. */
export type DailyUse = UsageSum<'day' | 'operation'>;

const TONES: readonly Tone[] = ['accent', 'mid', 'soft'];

/** The days of a chart, and all calls there have ever been. */
interface UsagePeriod {
  /** Number of days, the last of which is today. */
  readonly days: number;
  /** Number of calls ever made: if all of them are of these days, the chart begins with the first. */
  readonly total: number;
}

/** Draws calls day by day: of the most frequent operations, and of all others together. */
export function usageChart(
  id: string,
  uses: readonly DailyUse[],
  { days, total }: UsagePeriod,
  now = new Date(),
): Html {
  const today = Math.floor(now.getTime() / DAY_MS);
  const all = Array.from({ length: days }, (_, i) => new Date((today - days + 1 + i) * DAY_MS));
  const counts = all.map((at) =>
    uses.reduce((sum, { day, count }) => sum + (day === dayOf(at) ? count : 0), 0),
  );
  const instants = all.slice(firstOf(counts, total));
  const totals = new Map<string, number>();
  for (const { operation, count } of uses) totals.set(operation, (totals.get(operation) ?? 0) + count);
  const ranked = [...totals].sort(([, a], [, b]) => b - a).map(([operation]) => operation);
  const named = ranked.length > TONES.length + 1 ? ranked.slice(0, TONES.length) : ranked;
  const others = ranked.slice(named.length);
  const valuesOf = (operations: readonly string[]) => {
    const byDay = new Map<string, number>();
    for (const { day, operation, count } of uses) {
      if (operations.includes(operation)) byDay.set(day, (byDay.get(day) ?? 0) + count);
    }
    return instants.map((instant) => byDay.get(dayOf(instant)) ?? 0);
  };
  const parts = named.map((name, i) => ({ name, tone: TONES[i] ?? 'faint', values: valuesOf([name]) }));
  if (others.length > 0) parts.push({ name: 'Others', tone: 'faint', values: valuesOf(others) });
  const calls = counts.reduce((sum, count) => sum + count, 0);
  return columnChart({
    id,
    title: 'Calls per day',
    summary: `${exact(calls)} calls in the last ${days} days${named[0] === undefined ? '' : `, most of them of ${named[0]}`}.`,
    instants,
    parts: parts.length > 0 ? parts : [{ name: 'Calls', tone: 'accent', values: instants.map(() => 0) }],
    isDaily: true,
  });
}
