import { BOUNDS_MS } from '../../platform/telemetry/request-metrics';
import { columnWithin, LATENCY_BOUNDS, LATENCY_COLUMNS, type Latencies, quantile } from './latency';

function latencies(some: Partial<Latencies>): Latencies {
  return { ...(Object.fromEntries(LATENCY_COLUMNS.map((name) => [name, 0])) as Latencies), ...some };
}

describe('Stored durations', () => {
  it('use bounds that the metrics have too, so that no duration is counted in the wrong bucket', () => {
    for (const bound of Object.values(LATENCY_BOUNDS)) expect(BOUNDS_MS).toContain(bound);
    expect(BOUNDS_MS.map(columnWithin)).toEqual([
      'within1Ms',
      'within2500Us',
      'within5Ms',
      'within10Ms',
      'within25Ms',
      'within50Ms',
      'within100Ms',
      'within100Ms',
      'within250Ms',
      'within500Ms',
      'within1S',
      'within1S',
      'within2500Ms',
      'within5S',
      undefined,
      undefined,
    ]);
  });

  it('give quantiles that are interpolated within a bucket', () => {
    const spread = latencies({ within1Ms: 50, within2500Us: 40, within250Ms: 10 });
    expect(quantile(0.5, spread, 100)).toBe(1);
    expect(quantile(0.25, spread, 100)).toBe(0.5);
    expect(quantile(0.9, spread, 100)).toBe(2.5);
    expect(quantile(0.95, spread, 100)).toBe(175);
    expect(quantile(1, spread, 100)).toBe(250);
  });

  it('give no quantile without durations, and the last bound for longer ones', () => {
    expect(quantile(0.5, latencies({}), 0)).toBeUndefined();
    expect(quantile(0.5, latencies({ within1Ms: 1 }), 100)).toBe(5_000);
  });
});
