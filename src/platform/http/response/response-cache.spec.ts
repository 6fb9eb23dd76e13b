import SqliteDatabase from 'better-sqlite3';
import { DataSource } from 'typeorm';
import { describeOneEngine } from '../../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../../test/support/service/service';
import { until } from '../../../../test/support/until';
import type { Exchange } from '../exchange/exchange';
import type { Principal } from '../../security/principal';
import { ResponseCache } from './response-cache';

/** Returns an exchange with the members that the cache reads. */
function exchangeOf(principal: Principal, host: string, url: string): Exchange {
  const request = { protocol: 'http', host, headers: { host }, socket: {}, url };
  return { request, principal, operation: { handlerName: 'PetsController.listPets' } } as unknown as Exchange;
}

describeOneEngine('Responses cached while the database does not change', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService(engine);
    for (const name of ['a', 'b', 'c'])
      await service.post('/v1/pets', { name, categoryId: 1, status: 'sold' });
  });
  afterAll(() => service.stop());

  const list = async (path = '/v1/pets?status=sold&limit=100') => {
    const response = await service.fetch(path);
    return { status: response.status, etag: response.headers.get('etag'), text: await response.text() };
  };

  it('are identical to the byte', async () => {
    expect(await list()).toEqual(await list());
  });

  it('show a pet at once that was added through the service', async () => {
    for (let n = 0; n < 20; n++) {
      const before = await list();
      const { id } = (await (
        await service.post('/v1/pets', { name: `new ${n}`, categoryId: 1, status: 'sold' })
      ).json()) as { id: number };
      const after = await list();
      expect(after.text).toContain(`"id":${id},`);
      expect(after.etag).not.toBe(before.etag);
    }
  });

  it('show a change at once that another process has made', async () => {
    const before = await list();
    expect(before.text).toContain('"name":"a"');
    const sql = `UPDATE pets SET name = 'renamed' WHERE id = 1`;
    if (engine === 'sqlite') {
      const other = new SqliteDatabase(service.database.url.slice('sqlite:'.length));
      other.exec(sql);
      other.close();
    } else {
      await service.app.get(DataSource).query(sql);
    }
    const after = await list();
    expect(after.text).toContain('"name":"renamed"');
    expect(after.etag).not.toBe(before.etag);
  });

  it('are sent only to clients that may read them', async () => {
    await list();
    const path = '/v1/pets?status=sold&limit=100';
    expect((await fetch(`${service.url}${path}`)).status).toBe(401);
    const writer = await service.keyWith('pets:write');
    const refused = await service.fetch(path, { headers: { authorization: `Bearer ${writer}` } });
    expect(refused.status).toBe(403);
  });

  it('are reused on SQLite for the same caller with the same owner and scopes, host and target only', async () => {
    const cache = service.app.get(ResponseCache);
    const path = '/v1/pets?limit=2';
    await list(path);
    await list(path);
    const { host } = new URL(service.url);
    const { principal } = service;
    const find = (caller: Principal, named: string, url: string) => {
      const entry = cache.entryFor(exchangeOf(caller, named, url));
      return entry && cache.find(entry)?.body;
    };
    if (engine === 'postgres') expect(find(principal, host, path)).toBeUndefined();
    // What the service writes for itself between the two ends what is cached.
    else await until(async () => (await list(path)).text === find(principal, host, path));
    // The first question of another caller is not worth an entry; the second finds none.
    for (let n = 0; n < 2; n++) {
      expect(find({ ...principal, keyId: 'another' }, host, path)).toBeUndefined();
      expect(find({ ...principal, owner: 'another' }, host, path)).toBeUndefined();
      expect(find({ ...principal, scopes: new Set(['pets:read']) }, host, path)).toBeUndefined();
      expect(find(principal, 'other.example', path)).toBeUndefined();
      expect(find(principal, host, '/v1/pets?limit=3')).toBeUndefined();
    }
  });

  it('are not cached for a request that is made only once', async () => {
    const cache = service.app.get(ResponseCache);
    const path = '/v1/pets?limit=7';
    await list(path);
    const entry = cache.entryFor(exchangeOf(service.principal, new URL(service.url).host, path));
    expect(entry === undefined).toBe(engine === 'postgres');
    expect(entry && cache.find(entry)).toBeUndefined();
  });

  it('keep their Link field, and serve HEAD and If-None-Match', async () => {
    const path = '/v1/pets?limit=2';
    const first = await service.fetch(path);
    const again = await service.fetch(path);
    expect(again.headers.get('link')).toBe(first.headers.get('link'));
    expect(again.headers.get('link')).toContain('rel="next"');
    const head = await service.fetch(path, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(first.headers.get('content-length'));
    expect(await head.text()).toBe('');
    const unchanged = await service.fetch(path, {
      headers: { 'if-none-match': first.headers.get('etag') as string },
    });
    expect(unchanged.status).toBe(304);
    expect(unchanged.headers.get('link')).toBe(first.headers.get('link'));
  });
});
