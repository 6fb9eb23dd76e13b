import { rename } from 'node:fs/promises';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import type { PetstoreDataSource } from '../../src/platform/database/driver/petstore-data-source';
import { conflictFirst } from '../support/databases/conflicts';
import { describeEachEngine } from '../support/databases/databases';
import { fakeOnly } from '../support/fake-only';
import { startTestService, type TestService } from '../support/service/service';
import { until } from '../support/until';
import { withFeatures } from '../support/service/with-features';
import { addToSchema } from '../support/databases/with-schema';
import { jsonClient } from './client';
import { createTables } from './create-tables';
import { Account, Entry, Sighting } from './ledger.entities';
import { held, LedgersModule } from './ledgers.module';

describeEachEngine('A module on TypeORM that meets faults', (engine) => {
  let takeBack: () => void;
  let service: TestService;
  beforeAll(async () => {
    const entities = [Account, Entry, Sighting];
    takeBack = addToSchema({ entities, migrations: [createTables(1790000400000, 'ol_')] });
    service = await withFeatures({ LedgersModule }, () => startTestService(engine));
  });
  afterAll(async () => {
    takeBack();
    await service.stop();
  });
  const send = jsonClient(() => service);
  const dataSource = () => service.app.get(DataSource);
  const open = async () => (await send<{ id: number }>('POST', '/v1/ledgers')).body.id;

  it('gets an error that names the column with an integer that a number would round', async () => {
    const id = await open();
    if (engine === 'postgres') await dataSource().query('ALTER TABLE ol_accounts ALTER balance TYPE bigint');
    await dataSource().query(`UPDATE ol_accounts SET balance = 9007199254740991 WHERE id = ${id}`);
    expect((await send('GET', `/v1/ledgers/${id}`)).body).toMatchObject({ balance: Number.MAX_SAFE_INTEGER });
    await dataSource().query(`UPDATE ol_accounts SET balance = 9007199254740993 WHERE id = ${id}`);
    expect(await send('GET', `/v1/ledgers/${id}`)).toMatchObject({
      status: 500,
      body: { code: 'internal_error' },
    });
    expect(service.log()).toContain('Account.balance has an integer beyond 2^53');
  });

  it('is logged when it forgets a query runner, which is released after a while', async () => {
    const id = await open();
    // That of the forgotten one alone: others may be slow.
    const { idleRunnerMs } = dataSource() as PetstoreDataSource;
    Object.assign(dataSource(), { idleRunnerMs: 300 });
    expect((await send('POST', `/v1/ledgers/${id}/forgotten`)).status).toBe(201);
    Object.assign(dataSource(), { idleRunnerMs });
    // On SQLite it waits for the connection.
    expect((await send('POST', `/v1/ledgers/${id}/bookings`, { amount: 2, note: 'next' })).status).toBe(201);
    await until(() => service.log().includes('A query runner was neither used nor released'));
    expect(service.log()).toContain('ledgers.module.ts');
    expect((await send('GET', `/v1/ledgers/${id}`)).body).toMatchObject({
      balance: 2,
      entries: [{ note: 'next' }],
    });
  });

  it.each(['bookings', 'blocks'])(
    'is logged when it holds the one connection of SQLite for long: %s',
    async (way) => {
      const id = await open();
      fakeOnly(['setTimeout', 'clearTimeout']);
      held.wait = async () => jest.advanceTimersByTime((dataSource() as PetstoreDataSource).longHoldMs);
      const response = await send('POST', `/v1/ledgers/${id}/${way}`, { amount: 2, note: way, isHeld: true });
      jest.useRealTimers();
      expect(response.status).toBe(201);
      const said = new RegExp(
        `"requestId":"[^"]+".*POST /v1/ledgers/{id}/${way} \\(LedgersController\\.\\w+\\) has held the only SQLite connection`,
      );
      if (engine === 'sqlite') expect(service.log()).toMatch(said);
      else expect(service.log()).not.toContain('the one connection');
    },
  );

  it('responds with 503 and Retry-After while the database is away, and goes on when it is back', async () => {
    const id = await open();
    const book = (isHeld: boolean) =>
      service.post(`/v1/ledgers/${id}/bookings`, { amount: 2, note: 'away', isHeld });
    const takeAway = engine === 'sqlite' ? moveFile : endConnections;
    const response = await takeAway(service, () => book(true));
    expect([response.status, await response.json()]).toMatchObject([503, { code: 'service_unavailable' }]);
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    await until(async () => (await book(false)).status === 201);
    expect((await send('GET', `/v1/ledgers/${id}`)).body).toMatchObject({ balance: 2 });
  });

  if (engine === 'sqlite') return;

  it('responds with 503 and Retry-After when its transaction conflicts every time', async () => {
    const id = await open();
    await conflictFirst(dataSource(), 'INSERT ON ol_entries', 100, '40001');
    const response = await service.post(`/v1/ledgers/${id}/bookings`, { amount: 6, note: 'lost' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([
      503,
      expect.stringMatching(/^\d+$/),
    ]);
    expect((await send('GET', `/v1/ledgers/${id}`)).body).toMatchObject({ balance: 0, entries: [] });
  });
});

async function moveFile<T>({ database }: TestService, meanwhile: () => Promise<T>): Promise<T> {
  const file = database.url.slice('sqlite:'.length);
  await rename(file, `${file}.away`);
  try {
    return await meanwhile();
  } finally {
    await rename(`${file}.away`, file);
  }
}

/** Ends the connections of a transaction that is open. */
async function endConnections<T>({ database }: TestService, meanwhile: () => Promise<T>): Promise<T> {
  const admin = new Client({ connectionString: database.url });
  await admin.connect();
  const isEnded = Promise.withResolvers<void>();
  held.wait = () => isEnded.promise;
  try {
    const result = meanwhile();
    const ended = async () => {
      const { rows } = await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle in transaction'`);
      return rows.length > 0;
    };
    await until(ended);
    isEnded.resolve();
    return await result;
  } finally {
    await admin.end();
  }
}
