import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import { GatheredCounts } from './gathered-counts';

/** Creates the registry of a worker with its metrics. */
function makeWorker() {
  const registers = [new Registry()] as const;
  return {
    registry: registers[0],
    uses: new Counter({ name: 'uses_total', help: 'Uses.', labelNames: ['by'], registers: [...registers] }),
    running: new Gauge({ name: 'running', help: 'Running.', registers: [...registers] }),
    ready: new Gauge({ name: 'ready', help: 'Ready.', aggregator: 'min', registers: [...registers] }),
    build: new Gauge({ name: 'build', help: 'Build.', aggregator: 'first', registers: [...registers] }),
    took: new Histogram({ name: 'took_seconds', help: 'Time.', buckets: [1], registers: [...registers] }),
  };
}

type FakeWorker = ReturnType<typeof makeWorker>;

/** Creates a primary whose workers respond at once, except those in `silent`. */
function gather(workers: ReadonlyMap<number, FakeWorker>, silent: ReadonlySet<number>): GatheredCounts {
  const gathered = new GatheredCounts((round) => {
    for (const [id, { registry }] of workers) {
      if (silent.has(id)) continue;
      void registry.getMetricsAsJSON().then((counts) => gathered.told(id, round, counts));
    }
    return [...workers.keys()];
  });
  return gathered;
}

/** Returns the samples of a text by name and labels. */
function samples(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => [line.replace(/ [^ ]*$/, ''), Number(line.split(' ').at(-1))]),
  );
}

describe('The metrics of several workers', () => {
  let workers: Map<number, FakeWorker>;
  let silent: Set<number>;
  let gathered: GatheredCounts;

  beforeEach(() => {
    workers = new Map([
      [1, makeWorker()],
      [2, makeWorker()],
    ]);
    silent = new Set();
    gathered = gather(workers, silent);
    for (const [id, worker] of workers) {
      worker.uses.inc({ by: 'all' }, 10 * id);
      worker.uses.inc({ by: `only${id}` });
      worker.running.set(id);
      worker.ready.set(id - 1);
      worker.build.set(1);
      worker.took.observe(id - 0.5);
    }
  });

  it('are summed, except those that declare another merge', async () => {
    expect(samples(await gathered.text())).toEqual({
      'uses_total{by="all"}': 30,
      'uses_total{by="only1"}': 1,
      'uses_total{by="only2"}': 1,
      running: 3,
      ready: 0,
      build: 1,
      'took_seconds_bucket{le="1"}': 1,
      'took_seconds_bucket{le="+Inf"}': 2,
      took_seconds_sum: 2,
      took_seconds_count: 2,
      petstore_log_lines_dropped_total: 0,
      petstore_worker_restarts_total: 0,
      petstore_workers: 2,
    });
  });

  it('keep the counters of a worker that does not respond, but not its gauges', async () => {
    await gathered.text();
    silent.add(2);
    workers.get(1)?.uses.inc({ by: 'all' });
    expect(samples(await gathered.text())).toMatchObject({
      'uses_total{by="all"}': 31,
      took_seconds_count: 2,
      running: 1,
      petstore_workers: 1,
    });
    silent.clear();
    expect(samples(await gathered.text())).toMatchObject({ 'uses_total{by="all"}': 31, running: 3 });
  });

  it('never fall when workers end one after the other', async () => {
    for (let id = 2; id < 5; id++) {
      await gathered.text();
      workers.delete(id);
      gathered.ended(id);
      gathered.restarted();
      const next = makeWorker();
      next.uses.inc({ by: 'all' }, 100);
      workers.set(id + 1, next);
    }
    expect(samples(await gathered.text())).toMatchObject({
      'uses_total{by="all"}': 10 + 20 + 300,
      'uses_total{by="only2"}': 1,
      took_seconds_count: 2,
      running: 1,
      petstore_worker_restarts_total: 3,
      petstore_workers: 2,
    });
  });

  it('do not wait for a worker that ends while it is asked', async () => {
    silent.add(2);
    // The time limit for replies does not pass, because the timers are fake.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    const text = gathered.text();
    workers.delete(2);
    gathered.ended(2);
    expect(samples(await text)).toMatchObject({ petstore_workers: 1 });
    jest.useRealTimers();
  });

  it('merge the process metrics of Node sensibly', async () => {
    for (const { registry } of workers.values()) collectDefaultMetrics({ register: registry });
    const node = samples(await gathered.text());
    const [one] = await Promise.all([...workers.values()].map(({ registry }) => registry.metrics()));
    expect(node['process_resident_memory_bytes']).toBeGreaterThan(
      1.5 * (samples(one ?? '')['process_resident_memory_bytes'] ?? Infinity),
    );
    const version = Object.entries(node).find(([name]) => name.startsWith('nodejs_version_info'));
    expect(version?.[1]).toBe(1);
    expect(node).not.toHaveProperty('process_start_time_seconds');
  });
});
