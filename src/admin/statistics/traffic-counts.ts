import { BOUNDS_MS, type RequestTotals } from '../../platform/telemetry/request-metrics';
import { columnWithin, LATENCY_COLUMNS } from './latency';
import type { TrafficMinute } from './traffic-minute.entity';

/** Columns that count requests. */
export const COUNTS = ['requests', 'succeeded', 'clientErrors', 'serverErrors', ...LATENCY_COLUMNS] as const;

/** Numbers of requests served, by the class of their status and by duration. */
export type TrafficCounts = Readonly<Omit<TrafficMinute, 'minute' | 'processId'>>;

/** The counts of a time without requests. */
export const NO_REQUESTS = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Readonly<
  Record<keyof TrafficCounts, number>
>;

/** Counts the requests served between two readings of telemetry. */
export function countsBetween(before: RequestTotals, after: RequestTotals): TrafficCounts {
  const counts = { ...NO_REQUESTS } as Record<keyof TrafficCounts, number>;
  for (const name of ['requests', 'succeeded', 'clientErrors', 'serverErrors'] as const) {
    counts[name] = after[name] - before[name];
  }
  BOUNDS_MS.forEach((bound, i) => {
    const column = columnWithin(bound);
    if (column) counts[column] += (after.within[i] ?? 0) - (before.within[i] ?? 0);
  });
  return counts;
}

/** Adds two counts. */
export function addCounts(one: TrafficCounts, other: TrafficCounts): TrafficCounts {
  return Object.fromEntries(
    COUNTS.map((name) => [name, one[name] + other[name]]),
  ) as unknown as TrafficCounts;
}
