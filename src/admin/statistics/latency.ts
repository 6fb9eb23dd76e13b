/** Bounds of stored durations, in milliseconds, by the name of their column. Each is also a bound of telemetry. */
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

/** Numbers of durations by the bound they stay within; those beyond the last bound are in no column. */
export type Latencies = Readonly<Record<LatencyColumn, number>>;

export const LATENCY_COLUMNS = Object.keys(LATENCY_BOUNDS) as LatencyColumn[];

const LAST_BOUND_MS = LATENCY_BOUNDS.within5S;

/** The column of durations within a bound of telemetry; undefined if the bound is beyond all of these. */
export function columnWithin(boundMs: number): LatencyColumn | undefined {
  return LATENCY_COLUMNS.find((column) => boundMs <= LATENCY_BOUNDS[column]);
}

/**
 * Estimates a quantile of durations in milliseconds, evenly spread within each bound as in Prometheus' `histogram_quantile`.
 * Returns the last bound if the quantile is beyond it, undefined if there are no durations.
 *
 * @param q from 0 to 1
 * @param count the number of all durations, including those beyond the last bound
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
