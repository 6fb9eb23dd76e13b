import { Database } from '../../src/platform/database/database';
import { StoredEvent } from '../../src/platform/events/stored-event.entity';
import { StoredRun } from '../../src/platform/jobs/stored-run.entity';
import { describeOneEngine } from '../support/databases/databases';
import { FAILED_EVENT } from '../support/service/failed-event';
import { FAILED_RUN, RUNNING_RUN } from '../support/service/stored-run';
import { exchange } from '../support/http/raw-http';
import { until } from '../support/until';
import { OWN_METRICS, PROCESS_METRICS } from './support/own-metrics';
import { ask, creation, field, type WireRequest } from './support/request';
import { growthBy, Scrape } from './support/scrape';
import { useService } from './support/service';

const DURATION = 'http_server_request_duration_seconds';
const ROUTED = ['http_request_method', 'http_route', 'http_response_status_code'];

describeOneEngine('GET /metrics', (engine) => {
  const service = useService(engine);
  const scrape = () => Scrape.of(service());
  const counted = (work: () => Promise<unknown>, name: string, ...labels: string[]) =>
    growthBy(service(), work, name, ...labels);

  it('is complete, in the format of Prometheus, and never cached', async () => {
    const target = { port: service().managementPort, key: service().key };
    for (const method of ['GET', 'HEAD']) {
      const response = await ask(target, { method, target: '/metrics', key: null });
      expect(response.status).toBe(200);
      expect(field(response, 'content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect(field(response, 'cache-control')).toBe('no-store');
      expect(field(response, 'x-content-type-options')).toBe('nosniff');
    }
    const { families } = await scrape();
    for (const [name, [type]] of Object.entries(OWN_METRICS))
      expect([name, families.get(name)?.type]).toEqual([name, type]);
    for (const name of PROCESS_METRICS) expect([name, families.has(name)]).toEqual([name, true]);
    const others = [...families.keys()].filter((name) => !/^(process|nodejs)_/.test(name));
    expect(others.sort()).toEqual(Object.keys(OWN_METRICS).sort());
  });

  it('leaves out the use of the event loop, which would wake the process ten times a second', async () => {
    const names = [...(await scrape()).families.keys()];
    expect(names).toContain('nodejs_eventloop_lag_seconds');
    expect(names.filter((name) => name.includes('eventloop_utilization'))).toEqual([]);
  });

  it('has the build, and that the service is ready', async () => {
    const now = await scrape();
    expect(now.values('petstore_build_info', 'node_version')).toEqual({ [process.version]: 1 });
    // 0 as well while its database takes longer than a scrape.
    await until(async () => (await scrape()).value('petstore_ready') === 1);
  });

  /** Figures of the database, which a scrape leaves out where that takes long. */
  async function toldOf(name: string): Promise<Readonly<Record<string, number>>> {
    let told = {};
    await until(async () => Object.keys((told = (await scrape()).values(name, 'state'))).length > 0);
    return told;
  }

  it('counts waiting and failed stored events, even of a handler that no longer exists', async () => {
    expect(await toldOf('petstore_stored_events')).toEqual({ waiting: 0, failed: 0 });
    const database = service().app.get(Database);
    const waiting = { ...FAILED_EVENT, failedAt: null };
    await database.dataSource.getRepository(StoredEvent).insert([FAILED_EVENT, FAILED_EVENT, waiting]);
    expect(await toldOf('petstore_stored_events')).toEqual({ waiting: 1, failed: 2 });
    await database.dataSource.getRepository(StoredEvent).clear();
  });

  it('counts runs of jobs that wait or have failed, even of a job that no longer exists', async () => {
    expect(await toldOf('petstore_job_runs')).toEqual({ waiting: 0, failed: 0 });
    const runs = service().app.get(Database).dataSource.getRepository(StoredRun);
    await runs.insert([FAILED_RUN, FAILED_RUN, RUNNING_RUN, { ...FAILED_RUN, state: 'finished' }]);
    expect(await toldOf('petstore_job_runs')).toEqual({ waiting: 1, failed: 2 });
    await runs.clear();
  });

  it('measures requests by method, route and status', async () => {
    const requests: WireRequest[] = [
      {},
      {},
      { method: 'HEAD' },
      creation('{"name":"Rex","categoryId":1}'),
      { target: '/v1/pets/1' },
      { target: '/v1/pets/777' },
      { target: '/v1/pets?limit=none' },
      { key: null },
      { method: 'DELETE' },
      { method: 'OPTIONS', key: null },
      { target: '/nowhere' },
      { target: '/health/live' },
    ];
    const grown = await counted(
      async () => {
        for (const request of requests) await ask(service(), request);
      },
      `${DURATION}_count`,
      ...ROUTED,
    );
    expect(grown).toEqual({
      'GET /v1/pets 200': 2,
      'HEAD /v1/pets 200': 1,
      'POST /v1/pets 201': 1,
      'GET /v1/pets/{petId} 200': 1,
      'GET /v1/pets/{petId} 404': 1,
      'GET /v1/pets 400': 1,
      'GET /v1/pets 401': 1,
      'DELETE  405': 1,
      'OPTIONS  204': 1,
      'GET  404': 1,
      'GET /health/live 200': 1,
    });
  });

  it('counts responses that Node sends before there is a request', async () => {
    const grown = await counted(
      () => exchange(service().port, 'nonsense\r\n\r\n'),
      `${DURATION}_count`,
      ...ROUTED,
    );
    expect(grown).toEqual({ '_OTHER  400': 1 });
  });

  it('leaves out requests of the management port', async () => {
    const grown = await counted(() => fetch(`${service().managementUrl}/health/ready`), `${DURATION}_count`);
    expect(grown).toEqual({});
  });

  it('has consistent histograms', async () => {
    const { families } = await scrape();
    const samples = families.get(DURATION)?.samples ?? [];
    const series = Map.groupBy(samples, ({ labels }) => ROUTED.map((label) => labels[label]).join(' '));
    expect(series.size).toBeGreaterThan(5);
    for (const [, all] of series) {
      const buckets = all.filter(({ name }) => name.endsWith('_bucket'));
      const bounds = buckets.map(({ labels }) => Number(labels.le?.replace('+Inf', 'Infinity')));
      expect(bounds).toEqual([...bounds].sort((a, b) => a - b));
      expect(bounds.at(-1)).toBe(Infinity);
      const values = buckets.map(({ value }) => value);
      expect(values).toEqual([...values].sort((a, b) => a - b));
      const [sum, ...sums] = all.filter(({ name }) => name.endsWith('_sum'));
      const [count, ...counts] = all.filter(({ name }) => name.endsWith('_count'));
      expect([sums, counts]).toEqual([[], []]);
      expect(count?.value).toBe(values.at(-1));
      // No more than if each had taken as long as its bucket allows.
      const most = values
        .map((value, i) => value - (values[i - 1] ?? 0))
        .reduce(
          (total, inBucket, i) => (inBucket === 0 ? total : total + inBucket * (bounds[i] as number)),
          0,
        );
      expect(sum?.value).toBeLessThanOrEqual(most);
      expect(sum?.value).toBeGreaterThanOrEqual(0);
    }
  });

  it('counts a request in the bucket of its duration', async () => {
    const within = async (work: () => Promise<unknown>) =>
      counted(work, `${DURATION}_bucket`, 'http_route', 'le');
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
    const grown = await within(async () => {
      const other = exchange(service().port, bodyOf('{"name":"Rex","categoryId":1}', begin), {
        after: async (connection) => {
          await isReleased;
          connection.send('}');
        },
      });
      await hasBegun;
      await until(async () => (await scrape()).value('http_server_active_requests') === 1);
      const now = performance.now.bind(performance);
      jest.spyOn(performance, 'now').mockImplementation(() => now() + 120);
      release();
      await other;
    });
    jest.restoreAllMocks();
    expect(grown).toMatchObject({ '/v1/pets +Inf': 1 });
    expect(grown).not.toHaveProperty(['/v1/pets 0.1']);
  });

  /** A creation that lacks its last byte. */
  function bodyOf(json: string, begin: () => void): string {
    begin();
    return (
      `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service().key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json.slice(0, -1)}`
    );
  }
});
