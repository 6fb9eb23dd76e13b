import { DataSource } from 'typeorm';
import { startOn, type StartedService } from '../../../test/contract/support/start';
import {
  createTestDatabase,
  describeOneEngine,
  type TestDatabase,
} from '../../../test/support/databases/databases';
import { until } from '../../../test/support/until';
import { Database } from '../../platform/database/database';
import { DatabaseClock } from '../../platform/database/database-clock';
import { Metrics } from '../../platform/telemetry/metrics';
import { ServingProcess } from './serving-process.entity';
import { TrafficMinute } from './traffic-minute.entity';
import { TrafficRetentionJob } from './traffic-retention-job';
import { MINUTE_MS } from '../../platform/values/calendar';
import { KEPT_MS, TrafficRecorder } from './traffic-recorder.service';
import { TrafficService } from './traffic.service';
import { rangeNamed } from './ranges';

/** The beginning of a minute, long after every clock of a test. */
const NOON = Date.UTC(2040, 0, 1, 12);

const ROUTE = { template: '/v1/pets' };

function after(minutes: number): Date {
  return new Date(NOON + minutes * MINUTE_MS);
}

/** The last millisecond before a minute. */
function before(minutes: number): Date {
  return new Date(after(minutes).getTime() - 1);
}

describeOneEngine('Traffic', (engine) => {
  let database: TestDatabase;
  let services: StartedService[];

  beforeEach(async () => {
    database = await createTestDatabase(engine);
    services = [];
    jest.spyOn(Date, 'now').mockReturnValue(NOON);
    jest.spyOn(DatabaseClock.prototype, 'now').mockResolvedValue(new Date(NOON));
  });
  afterEach(async () => {
    for (const service of services) await service.stop();
    jest.restoreAllMocks();
    await database.drop();
  });

  async function start(): Promise<StartedService> {
    const service = await startOn(database.url, { MIGRATE_ON_START: 'true' });
    services.push(service);
    await until(async () => (await nodesOf(service)).length === services.length);
    return service;
  }

  function nodesOf({ app }: StartedService, now?: Date) {
    return app.get(TrafficService).nodes(now);
  }

  /** Ends the minute that is being counted, and begins the minute of an instant. */
  function record({ app }: StartedService, now: Date): Promise<void> {
    return app.get(TrafficRecorder).record(now.getTime());
  }

  /** Counts a request as if it had been answered. */
  function count({ app }: StartedService, status: number | undefined, durationMs: number): void {
    const { requests } = app.get(Metrics);
    requests.begin();
    requests.end('GET', ROUTE, status, durationMs);
  }

  function during({ app }: StartedService, steps: number, stepMinutes: number, now: Date) {
    return app.get(TrafficService).during({ ...rangeNamed('6h'), steps, stepMinutes }, now);
  }

  function rowsOf({ app }: StartedService): Promise<TrafficMinute[]> {
    return app
      .get(DataSource)
      .getRepository(TrafficMinute)
      .find({ order: { minute: 'ASC', processId: 'ASC' } });
  }

  it('counts the responses of the public port and their durations, but not of probes and docs', async () => {
    const service = await start();
    await fetch(`${service.url}/health/live`);
    await fetch(`${service.url}/docs`);
    await fetch(`${service.url}/v1/pets`);
    await fetch(`${service.url}/v1/nothing`);
    await fetch(`${service.managementUrl}/health`);
    count(service, 304, 3);
    count(service, 503, 700);
    count(service, undefined, 6_000);
    await until(() => service.app.get(Metrics).requests.totals().requests === 5);
    await record(service, after(1));
    const { steps, points } = await during(service, 1, 1, before(1));
    expect(steps.from).toEqual(after(0));
    expect(points[0]).toMatchObject({
      requests: 5,
      succeeded: 1,
      clientErrors: 2,
      serverErrors: 1,
      p95: 5_000,
    });
  });

  it('is summed over all nodes step by step, and empty where nothing was measured', async () => {
    const [one, other] = [await start(), await start()];
    for (let i = 0; i < 3; i++) count(one, 200, 1);
    await record(one, after(1));
    await record(other, after(1));
    count(one, 500, 40);
    count(other, 200, 2);
    await record(one, after(2));
    await record(other, after(2));
    await record(other, after(5));
    count(other, 404, 1);
    await record(other, after(6));

    const { steps, points, total, busyMinutes, mostInMinute } = await during(other, 2, 5, before(10));
    expect(steps.instants).toEqual([after(0), after(5)]);
    expect(points).toEqual([
      {
        requests: 5,
        succeeded: 4,
        clientErrors: 0,
        serverErrors: 1,
        p50: expect.closeTo(5 / 6),
        p95: expect.closeTo(43.75),
      },
      expect.objectContaining({ requests: 1, clientErrors: 1, p50: 0.5 }),
    ]);
    expect(total).toMatchObject({ requests: 6, succeeded: 4 });
    expect([busyMinutes, mostInMinute]).toEqual([3, 3]);

    const later = await during(other, 2, 2, before(6));
    expect(later.steps.instants).toEqual([after(2), after(4)]);
    expect(later.points.map(({ requests }) => requests)).toEqual([0, 1]);
    const empty = await during(other, 2, 1, before(22));
    expect(empty.points.map(({ requests, p50 }) => [requests, p50])).toEqual([
      [0, undefined],
      [0, undefined],
    ]);
    expect(empty.total).toEqual({ ...empty.points[0] });
  });

  it('of a range that is longer than the history begins with it, minute by minute', async () => {
    const service = await start();
    count(service, 200, 1);
    await record(service, after(1));
    const { range, steps, points } = await during(service, 72, 5, before(3));
    expect(range).toMatchObject({ steps: 3, stepMinutes: 1 });
    expect(steps.instants).toEqual([after(0), after(1), after(2)]);
    expect(points.map(({ requests }) => requests)).toEqual([1, 0, 0]);
  });

  it('stores no row for a minute without requests, but the process is still seen', async () => {
    const service = await start();
    await record(service, after(1));
    expect(await rowsOf(service)).toEqual([]);
    expect(await nodesOf(service, after(2))).toMatchObject([
      { state: 'serving', pid: process.pid, seenAt: after(1), leftAt: null },
    ]);
  });

  it('is written later, with one warning, when the database was away', async () => {
    const service = await start();
    const { app } = service;
    const renamed = (from: string, to: string) =>
      app.get(DataSource).query(`ALTER TABLE "${from}" RENAME TO "${to}"`);
    count(service, 200, 1);
    await renamed('traffic_minutes', 'elsewhere');
    await record(service, after(1));
    count(service, 200, 1);
    await record(service, after(2));
    await renamed('elsewhere', 'traffic_minutes');
    expect(service.log().match(/could not be recorded/g)).toHaveLength(1);
    await record(service, after(3));
    const rows = await rowsOf(service);
    expect(rows.map(({ minute, requests }) => [minute * MINUTE_MS - NOON, requests])).toEqual([
      [0, 1],
      [MINUTE_MS, 1],
    ]);
  });

  it('is written when the service stops, and the node counts as gone', async () => {
    const [leaving, staying] = [await start(), await start()];
    count(leaving, 200, 1);
    await leaving.stop();
    services = [staying];
    expect((await rowsOf(staying)).map(({ requests }) => requests)).toEqual([1]);
    const nodes = await nodesOf(staying);
    expect(nodes.map(({ state }) => state).sort()).toEqual(['left', 'serving']);
  });

  it('marks a node as missing that has not been seen for three minutes', async () => {
    const service = await start();
    await record(service, after(0));
    expect(await nodesOf(service, after(2))).toMatchObject([{ state: 'serving' }]);
    expect(await nodesOf(service, after(3))).toMatchObject([{ state: 'lost' }]);
  });

  it('is deleted after two days, with processes that have ended', async () => {
    const service = await start();
    const stored = service.app.get(Database);
    count(service, 200, 1);
    await record(service, after(1));
    const [row] = await rowsOf(service);
    const [node] = await stored.dataSource.getRepository(ServingProcess).find();
    const keptSince = Date.now() - KEPT_MS;
    const ended = { ...node, id: 'ended', seenAt: new Date(keptSince - MINUTE_MS) } as ServingProcess;
    await stored.dataSource.getRepository(ServingProcess).save(ended);
    const minute = Math.floor(keptSince / MINUTE_MS);
    const many = Array.from({ length: 1_500 }, (_, i) => ({
      ...(row as TrafficMinute),
      processId: String(i),
      minute: minute - 1,
    }));
    const kept = { ...(row as TrafficMinute), processId: 'kept', minute: minute + 2 };
    await stored.dataSource.getRepository(TrafficMinute).save([kept, ...many], { chunk: 100 });

    await service.app.get(TrafficRetentionJob).run();
    expect((await rowsOf(service)).map(({ processId }) => processId)).toEqual(['kept', node?.id]);
    const nodes = await stored.dataSource.getRepository(ServingProcess).find();
    expect(nodes.map(({ id }) => id)).toEqual([node?.id]);
  });
});
