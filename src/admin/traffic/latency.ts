/** The bounds that durations are stored by, in milliseconds, under the name of their column. Each is one of telemetry's. */
export const LATENCY_BOUNDS = {
  within1Ms: 1,
  within2500Us: 2.5,
  within5Ms: 5,
  within10Ms: 10,
  within25Ms: 25,
  within50Ms: 50,
  within100Ms: 100,
  within250Ms: 250,
  within500Ms: 500,
  within1S: 1_000,
  within2500Ms: 2_500,
  within5S: 5_000,
} as const;

export type LatencyColumn = keyof typeof LATENCY_BOUNDS;

/** Durations by the bound they stay within; those longer than the last are in none. */
export type Latencies = Readonly<Record<LatencyColumn, number>>;

export const LATENCY_COLUMNS = Object.keys(LATENCY_BOUNDS) as LatencyColumn[];

const LAST_BOUND_MS = LATENCY_BOUNDS.within5S;

/** The column of durations that stay within a bound of telemetry's; undefined when they are longer than all of ours. */
export function columnWithin(boundMs: number): LatencyColumn | undefined {
  return LATENCY_COLUMNS.find((column) => boundMs <= LATENCY_BOUNDS[column]);
}

/**
 * A quantile of durations, evenly spread within each bound as Prometheus' `histogram_quantile` has it, in milliseconds: the
 * last bound when it is longer, undefined when there are none.
 *
 * @param q from 0 to 1
 * @param count all durations, those beyond the last bound included
 */
export function quantile(q: number, latencies: Latencies, count: number): number | undefined {
  if (count <= 0) return undefined;
  const rank = q * count;
  let below = 0;
  let lower = 0;
  for (const column of LATENCY_COLUMNS) {
    const here = latencies[column];
    const upper = LATENCY_BOUNDS[column];
    if (here > 0 && below + here >= rank) return lower + ((upper - lower) * (rank - below)) / here;
    below += here;
    lower = upper;
  }
  return LAST_BOUND_MS;
}
