import { DataSource } from 'typeorm';
import { startOn, type StartedService } from '../../../test/contract/support/start';
import {
  createTestDatabase,
  describeOneEngine,
  type TestDatabase,
} from '../../../test/support/databases/databases';
import { fakeOnly } from '../../../test/support/fake-only';
import { until } from '../../../test/support/until';
import { Metrics } from '../../platform/telemetry/metrics';
import { MINUTE_MS } from '../../platform/values/calendar';
import { TrafficRecorder } from './traffic-recorder.service';
import { TrafficMinute } from './traffic-minute.entity';
import { TrafficRepository } from './traffic.repository';
import { TrafficService } from './traffic.service';
import { rangeNamed } from './ranges';

const HOUR = rangeNamed('1h');

/** The beginning of a minute, long after every real clock. */
const NOON = Date.UTC(2040, 0, 1, 12);

describeOneEngine('The recorder of traffic', (engine) => {
  let database: TestDatabase;
  let services: StartedService[];
  let now: number;

  beforeEach(async () => {
    database = await createTestDatabase(engine);
    services = [];
    now = NOON;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
  });
  afterEach(async () => {
    jest.useRealTimers();
    for (const service of services) await service.stop();
    jest.restoreAllMocks();
    await database.drop();
  });

  async function start(): Promise<StartedService> {
    const service = await startOn(database.url, { MIGRATE_ON_START: 'true' });
    services.push(service);
    await record(service);
    return service;
  }

  async function stop(service: StartedService): Promise<void> {
    services = services.filter((each) => each !== service);
    await service.stop();
  }

  /** Counts requests as if they had been answered within some milliseconds. */
  function count({ app }: StartedService, requests: number, durationMs = 1): void {
    const metrics = app.get(Metrics).requests;
    for (let i = 0; i < requests; i++) {
      metrics.begin();
      metrics.end('GET', { template: '/v1/pets' }, 200, durationMs);
    }
  }

  /** Lets time pass, and lets every process write. */
  async function pass(ms: number): Promise<void> {
    now += ms;
    for (const service of services) await record(service);
  }

  /** Lets time pass by the timers alone; the wall clock loses some milliseconds in between. */
  function passByTimers(ms: number, lost = 0): void {
    now += ms - lost;
    jest.advanceTimersByTime(ms);
  }

  function record({ app }: StartedService): Promise<void> {
    return app.get(TrafficRecorder).record(now);
  }

  function rowsOf({ app }: StartedService): Promise<TrafficMinute[]> {
    return app
      .get(DataSource)
      .getRepository(TrafficMinute)
      .find({ order: { minute: 'ASC' } });
  }

  /** Requests by the minute since noon, over all processes. */
  async function shown(service: StartedService): Promise<Record<number, number>> {
    const sums: Record<number, number> = {};
    for (const { minute, requests } of await rowsOf(service)) {
      const since = minute - NOON / MINUTE_MS;
      sums[since] = (sums[since] ?? 0) + requests;
    }
    return sums;
  }

  /** Renames a table, so that writes to it fail. */
  async function rename({ app }: StartedService, from: string, to: string): Promise<void> {
    await app.get(DataSource).query(`ALTER TABLE "${from}" RENAME TO "${to}"`);
  }

  it('counts each request in its minute when the timer fires a millisecond early', async () => {
    // Not Date: TypeORM recognizes columns by this class.
    fakeOnly(['setTimeout', 'clearTimeout']);
    const service = await start();
    count(service, 1);
    passByTimers(MINUTE_MS);
    count(service, 20);
    passByTimers(MINUTE_MS, 1);
    count(service, 300);
    passByTimers(1);
    count(service, 4_000);
    passByTimers(MINUTE_MS, 1);
    passByTimers(1);
    await record(service);
    expect(await shown(service)).toEqual({ 0: 1, 1: 320, 2: 4_000 });
  });

  it('counts requests in the minute of their response when the timer fires late', async () => {
    // Not Date: TypeORM recognizes columns by this class.
    fakeOnly(['setTimeout', 'clearTimeout']);
    const service = await start();
    count(service, 5);
    now += 7 * MINUTE_MS;
    passByTimers(MINUTE_MS);
    count(service, 6);
    passByTimers(MINUTE_MS);
    await record(service);
    expect(await shown(service)).toEqual({ 0: 5, 8: 6 });
  });

  it('adds counts and durations to the stored minute when the clock is set back', async () => {
    const service = await start();
    count(service, 2, 1);
    await pass(MINUTE_MS);
    now = NOON + 1_000;
    count(service, 30, 40);
    await record(service);
    count(service, 400, 40);
    await pass(MINUTE_MS);
    expect(await shown(service)).toEqual({ 0: 402, 1: 30 });
    const within = new Date(NOON + MINUTE_MS - 1);
    const { points } = await service.app.get(TrafficService).during({ ...HOUR, steps: 1 }, within);
    expect(points).toEqual([expect.objectContaining({ requests: 402, p50: expect.closeTo(37.4375) })]);
  });

  it('counts nothing twice when only the first of two writes of a minute succeeded', async () => {
    const service = await start();
    count(service, 50);
    await rename(service, 'serving_processes', 'elsewhere');
    await pass(MINUTE_MS);
    expect(await shown(service)).toEqual({ 0: 50 });
    await rename(service, 'elsewhere', 'serving_processes');
    await pass(MINUTE_MS);
    expect(await shown(service)).toEqual({ 0: 50 });
  });

  it('keeps the larger count when a timed-out write arrives after a later one', async () => {
    const service = await start();
    count(service, 50);
    await pass(20_000);
    const [stale] = await rowsOf(service);
    count(service, 7);
    await pass(40_000);
    await service.app.get(TrafficRepository).writeMinute(stale as TrafficMinute);
    expect(await shown(service)).toEqual({ 0: 57 });
  });

  it('keeps hours of minutes in memory while the database is away', async () => {
    const service = await start();
    await rename(service, 'traffic_minutes', 'elsewhere');
    for (let minute = 0; minute < 150; minute++) {
      count(service, 1);
      await pass(MINUTE_MS);
    }
    await rename(service, 'elsewhere', 'traffic_minutes');
    await record(service);
    expect(Object.values(await shown(service))).toEqual(Array.from({ length: 150 }, () => 1));
  });

  it('loses no request over several nodes, early writes, a stop and a start within a minute', async () => {
    const [one, other] = [await start(), await start()];
    let sent = 0;
    const send = async (service: StartedService, requests: number) => {
      const metrics = service.app.get(Metrics).requests;
      const before = metrics.totals().requests;
      for (let i = 0; i < requests; i++) await fetch(`${service.url}/v1/nothing`);
      // A request is counted after its last byte was handed on, a moment after the client may have received it.
      await until(() => metrics.totals().requests === before + requests);
      sent += requests;
    };
    for (let minute = 0; minute < 6; minute++) {
      await send(one, 3);
      await pass(20_000);
      await send(other, 2);
      await pass(40_000 - (minute % 2));
      await send(one, 1);
      await pass(minute % 2);
    }
    await send(other, 2);
    await stop(other);
    const again = await start();
    await send(again, 4);
    await stop(again);
    await send(one, 1);
    await pass(2 * MINUTE_MS);
    const { total } = await one.app.get(TrafficService).during(HOUR, new Date(now + 10_000));
    expect(total.requests).toBe(sent);
    expect((await shown(one))[6]).toBe(2 + 4 + 1);
  });
});
