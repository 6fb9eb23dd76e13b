import { ApiKeysRepository } from '../../src/auth/api-keys.repository';
import { ApiKeysService } from '../../src/auth/api-keys.service';
import { Database } from '../../src/platform/database/database';
import { createToken } from '../../src/platform/security/api-key-token';
import { describeOneEngine } from '../support/databases/databases';
import { until } from '../support/until';
import { ask } from './support/request';
import { growthBy, Scrape } from './support/scrape';
import { useService } from './support/service';

describeOneEngine('The counters of the service', (engine) => {
  const service = useService(engine);
  const scrape = () => Scrape.of(service());
  const counted = (work: () => Promise<unknown>, name: string, ...labels: string[]) =>
    growthBy(service(), work, name, ...labels);

  it('count keys by the result of their lookup, from the cache and from the database', async () => {
    const keys = service().app.get(ApiKeysService);
    const make = () => keys.create({ name: 'k', scopes: ['pets:read'] });
    const [revoked, disabled, expired, good] = [await make(), await make(), await make(), await make()];
    await keys.revoke(revoked.key.id);
    await keys.disable(disabled.key.id);
    await service()
      .app.get(ApiKeysRepository)
      .update(expired.key.id, { expiresAt: new Date(0) });
    const unknown = createToken();
    const sent: [string | null, Record<string, string>?][] = [
      [null],
      [null, { Authorization: 'Basic eDp5' }],
      ['nonsense'],
      ...[unknown, revoked.token, disabled.token, expired.token, good.token].flatMap((token): [string][] => [
        [token],
        [token],
      ]),
    ];
    const before = await scrape();
    for (const [key, headers = {}] of sent) await ask(service(), { key, headers });
    await ask(service(), { key: null, headers: { Authorization: ['Bearer a', 'Bearer b'] } });
    const now = await scrape();
    expect(now.growth(before, 'petstore_key_verifications_total', 'result')).toEqual({
      missing: 2,
      malformed: 2,
      unknown: 2,
      revoked: 2,
      disabled: 2,
      expired: 2,
      accepted: 2,
    });
    expect(now.growth(before, 'petstore_cache_lookups_total', 'cache', 'result')).toMatchObject({
      'keys miss': 5,
      'keys hit': 5,
    });
  });

  it('count cached responses', async () => {
    const grown = await counted(
      async () => {
        for (let i = 0; i < 20; i++) await service().fetch('/v1/pets?limit=77');
      },
      'petstore_cache_lookups_total',
      'cache',
      'result',
    );
    const { 'answers hit': hits = 0, 'answers miss': misses = 0 } = grown;
    // The service itself may write meanwhile, and what is cached is read anew then. On PostgreSQL nothing is cached.
    expect(hits + misses).toBe(engine === 'sqlite' ? 20 : 0);
    expect(hits > 0).toBe(engine === 'sqlite');
    expect(misses > 0).toBe(engine === 'sqlite');
  });

  it('count retries by their outcome', async () => {
    const post = (key: string, name: string) =>
      service().post('/v1/pets', { name, categoryId: 1 }, { 'idempotency-key': key });
    const grown = await counted(
      async () => {
        expect((await post('a', 'Rex')).status).toBe(201);
        expect((await post('a', 'Rex')).status).toBe(201);
        expect((await post('a', 'Max')).status).toBe(422);
        const together = await Promise.all(Array.from({ length: 20 }, () => post('b', 'Rex')));
        expect(together.map(({ status }) => status)).toContain(201);
      },
      'petstore_idempotent_requests_total',
      'outcome',
    );
    const { first, reused, replayed = 0, in_progress = 0, ...others } = grown;
    expect({ first, reused, others }).toEqual({ first: 2, reused: 1, others: {} });
    // Of those that came together, each but one came during the first or after it.
    expect(replayed + in_progress).toBe(20);
  });

  it('count the uses of deprecated operations, from zero', async () => {
    const name = 'petstore_deprecated_operation_uses_total';
    expect(Object.keys((await scrape()).values(name, 'operation'))).toEqual(['getPet']);
    const grown = await counted(() => service().fetch('/v1/pets/1'), name, 'operation');
    expect(grown).toEqual({ getPet: 1 });
  });

  it('show how the connections to the database are used', async () => {
    const labels = ['db_client_connection_pool_name', 'db_client_connection_state'];
    const counts = async () => (await scrape()).values('db_client_connection_count', ...labels);
    const database = service().app.get(Database);
    await database.transaction(async () => {
      await database.dataSource.query('SELECT 1');
      // What a module does by itself may have connections of its own for a moment.
      await until(async () => (await counts())['primary used'] === 1);
      const now = await scrape();
      expect(now.values('db_client_connection_max', 'db_client_connection_pool_name')).toEqual({
        ...(engine === 'sqlite' ? { primary: 1, scans: 1 } : { primary: 10 }),
      });
    });
    await until(async () => (await counts())['primary used'] === 0);
    expect((await counts())['primary idle']).toBeGreaterThan(0);
    const pending = async () =>
      (await scrape()).values('db_client_connection_pending_requests', 'db_client_connection_pool_name');
    const pool = engine === 'sqlite' ? 'scans' : 'primary';
    await until(async () => (await pending())[pool] === 0);
    expect(Object.keys(await pending())).toEqual([pool]);
  });
});

describe('The metrics of a pool without a free connection', () => {
  const service = useService('postgres', { DATABASE_POOL_SIZE: '2' });

  it('count the requests that wait', async () => {
    const database = service().app.get(Database);
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    let begun = 0;
    const hold = async () => {
      await database.dataSource.query('SELECT 1');
      begun += 1;
      await isReleased;
    };
    const work = Array.from({ length: 5 }, () => database.transaction(hold));
    await until(() => begun === 2);
    // From now on none gets a connection. The service's own duties may wait beside the three.
    const least = database.pool.waiting;
    const now = await Scrape.of(service());
    const most = database.pool.waiting;
    release();
    await Promise.all(work);
    expect(least).toBeGreaterThanOrEqual(3);
    const states = now.values('db_client_connection_count', 'db_client_connection_state');
    expect(states).toEqual({ idle: 0, used: 2 });
    const [told, ...others] = Object.values(now.values('db_client_connection_pending_requests'));
    expect(others).toEqual([]);
    expect(told).toBeGreaterThanOrEqual(least as number);
    expect(told).toBeLessThanOrEqual(most as number);
    expect(now.value('petstore_ready')).toBe(0);
  });
});
