import { DataSource } from 'typeorm';
import { startOn, type StartedService } from '../../../test/contract/support/start';
import {
  createTestDatabase,
  describeOneEngine,
  type TestDatabase,
} from '../../../test/support/databases/databases';
import { ClientChange } from './client-change.entity';
import { ClientChangesRepository } from './client-changes.repository';
import { LoggedRequest } from './logged-request.entity';
import { firstIdAt, LoggedRequestIds } from './logged-request-id';
import { RequestLog } from './request-log';
import { RequestLogRepository } from './request-log.repository';
import { RequestLogRetentionJob } from './request-log-retention-job';

const REQUEST = {
  requestId: 'id',
  traceId: null,
  keyId: null,
  method: 'GET',
  route: '/v1/pets',
  status: 401,
  outcome: 'refused',
  code: 'unauthorized',
  message: 'An API key is required.',
  durationMs: 1,
  address: '192.0.2.1',
  node: 'web-1',
} as const;

const CHANGE = {
  kind: 'pets',
  recordId: 1n,
  verb: 'update',
  operation: 'updatePet',
  keyId: null,
  requestId: 'id',
  address: null,
} as const;

describeOneEngine('The retention of the request log', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => (database = await createTestDatabase(engine)));
  afterEach(() => database.drop());

  async function rows({ app }: StartedService): Promise<LoggedRequest[]> {
    await app.get(RequestLog).write();
    return app
      .get(DataSource)
      .getRepository(LoggedRequest)
      .find({ order: { id: 'ASC' } });
  }

  it('follows the age in the settings, and the number of rows', async () => {
    const started = await startOn(database.url, { MIGRATE_ON_START: 'true', REQUEST_LOG_DAYS: '3' });
    const requests = started.app.get(RequestLogRepository);
    const idOfOldestIn = requests.idOfOldestIn.bind(requests);
    const counted = jest.spyOn(requests, 'idOfOldestIn').mockImplementation(() => idOfOldestIn(1_000));
    const ids = new LoggedRequestIds();
    const at = (ms: number) => ({ ...REQUEST, node: 'x', at: new Date(ms), id: ids.next(ms) });
    const now = Date.now();
    const day = 86_400_000;
    for (let batch = 0; batch < 13; batch++) {
      const long = batch < 2 ? 3 * day + 60_000 : 3 * day - 60_000 * batch;
      await requests.insert(Array.from({ length: 100 }, (_, i) => at(now - long + i)));
    }
    await started.app.get(RequestLogRetentionJob).run();
    const kept = await rows(started);
    expect(kept).toHaveLength(1_000);
    expect(counted.mock.calls).toEqual([[1_000_000]]);
    expect((kept[0] as LoggedRequest).id).toBeGreaterThanOrEqual(firstIdAt(now - 3 * day + 3 * 60_000));
    await started.stop();

    const off = await startOn(database.url, { REQUEST_LOG_DAYS: '0' });
    await fetch(`${off.url}/v1/pets`);
    await off.app.get(RequestLogRetentionJob).run();
    expect(await rows(off)).toEqual([]);
    await off.stop();
  });

  it('keeps every change of a record for as long as the setting says, whatever else is left out', async () => {
    const settings = { MIGRATE_ON_START: 'true', REQUEST_LOG_DAYS: '0', RECORD_HISTORY_DAYS: '30' };
    const started = await startOn(database.url, settings);
    const log = started.app.get(RequestLog);
    for (let i = 0; i < 2_500; i++) log.addChange(CHANGE);
    await log.write();
    const changes = started.app.get(ClientChangesRepository);
    const now = Date.now();
    const at = (days: number) => ({ ...CHANGE, recordId: 7n, id: firstIdAt(now - days * 86_400_000) });
    await changes.insert([at(29), at(31)]);
    await changes.insert([at(29)]);
    await started.app.get(RequestLogRetentionJob).run();
    expect(await changes.list({ kind: 'pets', recordId: 7n }, { limit: 10 })).toMatchObject([at(29)]);
    await started.stop();

    const off = await startOn(database.url, { RECORD_HISTORY_DAYS: '0' });
    const kept = () => off.app.get(DataSource).getRepository(ClientChange).count();
    expect(await kept()).toBe(2_501);
    await off.app.get(RequestLogRetentionJob).run();
    expect(await kept()).toBe(0);
    await off.stop();
  });

  it('has the requests of every process', async () => {
    const environment = { MIGRATE_ON_START: 'true' };
    const both = [await startOn(database.url, environment), await startOn(database.url, environment)];
    for (const { url } of both) {
      await fetch(`${url}/v1/pets`, { headers: { 'x-request-id': 'f-401' } });
    }
    for (const each of both) await each.stop();
    const reader = await startOn(database.url, {});
    // Others may still ask a port that was theirs before.
    expect((await rows(reader)).filter(({ requestId }) => requestId === 'f-401')).toHaveLength(2);
    await reader.stop();
  });

  it('lets searches go part by part from the newest request, whatever the filter', async () => {
    const reader = await startOn(database.url, { MIGRATE_ON_START: 'true' });
    const requests = reader.app.get(RequestLogRepository);
    const ids = new LoggedRequestIds();
    const from = new Date('2001-01-01T00:00:00Z');
    const to = new Date('2001-01-02T00:00:00Z');
    const many = Array.from({ length: 250 }, (_, i) => {
      const at = new Date(from.getTime() + i * 1_000);
      const node = i % 50 === 0 ? 'rare' : 'common';
      return {
        ...REQUEST,
        at,
        id: ids.next(at.getTime()),
        node,
        durationMs: i,
        code: i < 200 ? 'x' : 'y',
        keyId: 'k',
      };
    });
    for (let i = 0; i < 250; i += 50) await requests.insert(many.slice(i, i + 50));
    // Inserted again, as a write is repeated when its outcome is not known.
    await requests.insert(many.slice(0, 50));
    const find = async (filter: object, limit = 1_000, before?: bigint) =>
      (await requests.find({ at: { from, before: to }, ...filter }, { limit, before })).items.map(
        ({ durationMs }) => durationMs,
      );
    expect(await find({})).toEqual(many.map(({ durationMs }) => durationMs).reverse());
    expect(await find({ keyId: 'k' }, 2)).toEqual([249, 248]);
    expect(await find({}, 2, many[10]?.id)).toEqual([9, 8]);
    expect(await find({ node: 'rare' })).toEqual([200, 150, 100, 50, 0]);
    expect(await find({ node: 'rare', code: 'x', keyId: 'k' }, 2)).toEqual([150, 100]);
    expect(await find({ code: 'y', durationMs: { from: 248 } })).toEqual([249, 248]);
    expect(await find({ at: { from, before: many[2]?.at } })).toEqual([1, 0]);
    expect(await find({ status: 999 })).toEqual([]);
    // PostgreSQL reads the whole table by its primary key rather than sort a set of rows that it takes for large.
    const { indices } = reader.app.get(DataSource).getMetadata(LoggedRequest);
    const indexed = indices.map(({ columns }) => columns.map(({ propertyName }) => propertyName).join());
    for (const lead of ['requestId', 'address', 'code', 'keyId', 'outcome', 'route']) {
      expect(indexed).toContain(`${lead},id`);
    }
    await reader.stop();
  });
});
