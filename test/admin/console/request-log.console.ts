import { RecordsService } from '../../../src/admin/records/records.service';
import { ApiKeysService } from '../../../src/auth/api-keys.service';
import { PETS_ADMIN } from '../../../src/pets/pets.admin';
import { KeyUsage } from '../../../src/auth/usage/key-usage';
import type { LoggedRequest } from '../../../src/platform/request-log/logged-request.entity';
import { firstIdAt } from '../../../src/platform/request-log/logged-request-id';
import { RequestLog } from '../../../src/platform/request-log/request-log';
import { RequestLogRepository } from '../../../src/platform/request-log/request-log.repository';
import { describeOneEngine } from '../../support/databases/databases';
import { startTestService, type TestService } from '../../support/service/service';
import { until } from '../../support/until';
import { type ConsoleClient, openConsole } from '../../support/service/console';
import { codesIn, historyIn } from './support/said';

describeOneEngine('The pages of the request log', (engine) => {
  let service: TestService;
  let client: ConsoleClient;

  beforeAll(async () => {
    service = await startTestService(engine);
    client = await openConsole(service, service.key);
    const as = (id: string) => ({ headers: { 'x-request-id': id } });
    for (let i = 0; i < 60; i++) await service.fetch('/v1/pets?limit=0', as(`refused-${i}`));
    await service.fetch('/v1/pets', as('well'));
    await fetch(`${service.url}/v1/pets/7`, as('keyless'));
    for (const id of ['again', 'again']) await service.fetch('/v1/pets/999', as(id));
    await until(async () => {
      await service.app.get(RequestLog).write();
      return idsIn((await client.get('/admin/requests?request=again')).html).length === 2;
    });
  });
  afterAll(() => service.stop());

  const idsIn = (html: string) =>
    [...html.matchAll(/class="row-title" href="\/admin\/requests\/(\d+)"/g)].map(([, id]) =>
      BigInt(id as string),
    );
  const textIn = (html: string) => html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
  /** The parts into which a page divides refused requests, in the order of the page. */
  const refusalsIn = (html: string) =>
    [...html.matchAll(/<section aria-label="([^"]*)"><h3 class="figure-label">([^]*?)<\/section>/g)].flatMap(
      ([, group, list = '']) =>
        [
          ...list.matchAll(
            /<a href="([^"]*)">([^<]*)<\/a><span class="bar-value">(\d+)<\/span><span class="bar-share">([^<]*)</g,
          ),
        ].map(([, path = '', name, number, share]) => ({
          ...{ group, name, number: Number(number), share },
          path: path.replaceAll('&amp;', '&'),
        })),
    );
  const nextIn = (html: string) => /href="([^"]+)" rel="next"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
  const count = async (query: string) => idsIn((await client.get(`/admin/requests?${query}`)).html).length;

  it('show every request once, newest first, page by page', async () => {
    const found: bigint[] = [];
    let path: string | undefined = '/admin/requests?code=invalid_parameter';
    while (path !== undefined) {
      const { html } = await client.get(path);
      found.push(...idsIn(html));
      path = nextIn(html);
    }
    expect(found).toHaveLength(60);
    expect(found).toEqual([...new Set(found)].sort((a, b) => (a < b ? 1 : -1)));
  });

  it('lead from a request id to the reason of the refusal and to the key', async () => {
    const { location, status } = await client.get('/admin/requests?request=refused-7');
    expect(status).toBe(303);
    const { html } = await client.get(location as string);
    for (const part of [
      'limit must be a whole number from 1 to 100.',
      'invalid_parameter',
      'refused-7',
      '127.0.0.1',
    ]) {
      expect(html).toContain(part);
    }
    const key = /href="(\/admin\/keys\/key_\w+)"/.exec(html)?.[1] as string;
    const page = await client.get(key);
    expect(idsIn(page.html)).toHaveLength(5);
    expect(page.html).toContain(`href="/admin/requests?key=${key.split('/').at(-1)}"`);
  });

  it('are those of operations: pages and files of the docs are kept only when they are refused', async () => {
    const as = (id: string) => ({ headers: { 'x-request-id': id } });
    for (const path of ['/docs', '/docs/llms.txt']) await fetch(`${service.url}${path}`, as('read'));
    await fetch(`${service.url}/docs/key`, as('keyless-docs'));
    await until(async () => {
      await service.app.get(RequestLog).write();
      return (await client.get('/admin/requests?request=keyless-docs')).status === 303;
    });
    expect(await count('request=read')).toBe(0);
    const { html } = await client.get('/admin/requests');
    expect(html.replaceAll('<wbr />', '')).toContain(
      '<td role="cell" data-label="Operation">GET /docs/key</td>',
    );
    expect(html).toContain('<option value="listPets"');
    for (const quiet of ['DocsController', 'value="GET /docs']) expect(html).not.toContain(quiet);
  });

  it('are sorted by their duration, the slowest first, as far as the filters let them', async () => {
    const log = service.app.get(RequestLogRepository);
    const now = Date.now();
    const row = (i: number, durationMs: number): LoggedRequest => ({
      ...{ id: firstIdAt(now - 60_000 + i), at: new Date(now - 60_000 + i), requestId: `slow-${i}` },
      ...{ traceId: null, keyId: null, method: 'GET', route: '/v1/slow', status: 200, outcome: 'succeeded' },
      ...{ code: null, message: null, durationMs, address: null, node: 'slow' },
    });
    await log.insert([5_000, 9_000, 7_000].map((ms, i) => row(i, ms)));
    const { html } = await client.get('/admin/requests?sort=-duration&node=slow');
    expect(html.match(/class="number">\d s/g)).toEqual([9, 7, 5].map((s) => `class="number">${s} s`));
    expect(html).toMatch(/aria-sort="descending"[^>]*>\s*<a class="sort" href="[^"]*">Duration/);
    expect(html).toContain('<input type="hidden" name="sort" value="-duration">');
    expect(nextIn(html)).toBeUndefined();
  });

  it('say which scope a refused key lacks, which it has, and what to do', async () => {
    const keys = service.app.get(ApiKeysService);
    const { key, token } = await keys.create({ name: 'Reader', scopes: ['pets:read'] });
    const headers = { authorization: `Bearer ${token}`, 'x-request-id': 'unscoped' };
    await service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, headers);
    let path: string | undefined;
    await until(async () => {
      await service.app.get(RequestLog).write();
      path = (await client.get('/admin/requests?request=unscoped')).location;
      return path !== undefined;
    });
    const text = textIn((await client.get(path as string)).html);
    expect(text).toContain('The key Reader lacks pets:write. Its scopes: pets:read.');
    expect(text).not.toContain('WWW-Authenticate');
    expect((await client.get(path as string)).html).toContain(`href="/admin/keys/${key.id}/edit"`);
  });

  it('find requests by each of their filters', async () => {
    const keys = await service.app.get(ApiKeysService).list();
    const id = keys.find(({ name }) => name === 'test')?.id;
    expect(await count('outcome=succeeded&operation=listPets')).toBe(1);
    expect(await count('status=404')).toBe(2);
    expect(await count('status=404,401')).toBe(4);
    expect(await count('code=pet_not_found&code=unauthorized')).toBe(4);
    expect(await count('outcome=succeeded,failed&operation=listPets')).toBe(1);
    expect(await count('status=401&code=unauthorized&operation=getPet')).toBe(1);
    expect(await count(`key=${id}&outcome=refused&operation=getPet`)).toBe(2);
    expect(await count('address=127.0.0.1&status=404')).toBe(2);
    expect(await count('address=192.0.2.1')).toBe(0);
    expect(await count('node=elsewhere')).toBe(0);
    expect(await count('slow=600000')).toBe(0);
    expect(await count('status=404&from=2001-01-01T00:00')).toBe(2);
    expect(await count('to=2001-01-01T00:00:30')).toBe(0);
  });

  it('name an invalid filter, and apply the others', async () => {
    const { html } = await client.get('/admin/requests?status=4xx&from=yesterday&slow=x&code=pet_not_found');
    for (const name of ['status', 'from', 'slow']) expect(html).toContain(`id="field-${name}-error"`);
    expect(idsIn(html)).toHaveLength(2);
  });

  it('follow the log with and without JavaScript, without extending the session', async () => {
    const still = await client.get('/admin/requests');
    expect(still.html).not.toMatch(/http-equiv="refresh"|data-refresh/);
    const { html } = await client.get('/admin/requests?outcome=refused&live=1');
    expect(html).toContain('content="5;url=/admin/requests?outcome=refused&amp;live=reloaded"');
    expect(html).toContain('hx-trigger="every 2s"');
    const reloaded = await client.get('/admin/requests?outcome=refused&live=reloaded');
    expect(reloaded.html).toContain('http-equiv="refresh"');
    expect(reloaded.raw.headers.get('set-cookie')).toBeUndefined();
  });

  it('are linked from the tiles of failed and refused requests on the overview', async () => {
    const { html } = await client.get('/admin/overview?range=1h');
    for (const filter of ['outcome=failed&amp;from=', 'outcome=refused&amp;from=']) {
      const [, path] = new RegExp(`href="(/admin/requests\\?${filter}[^"]+)"`).exec(html) ?? [];
      expect((await client.get((path as string).replaceAll('&amp;', '&'))).status).toBe(200);
    }
  });

  it('divide refused requests on the overview by status, code and key, each with a link to them', async () => {
    const { html } = await client.get('/admin/overview?range=1h');
    const parts = refusalsIn(html);
    expect(parts.map(({ group, name, share }) => [group, name, share])).toEqual([
      ['Status', '400 Bad Request', '92.3%'],
      ['Status', '401 Unauthorized', '3.1%'],
      ['Status', '404 Not Found', '3.1%'],
      ['Status', '403 Forbidden', '1.5%'],
      ['Error code', 'invalid_parameter', '92.3%'],
      ['Error code', 'pet_not_found', '3.1%'],
      ['Error code', 'unauthorized', '3.1%'],
      ['Error code', 'insufficient_scope', '1.5%'],
      ['Key', 'test', '95.4%'],
      ['Key', expect.anything(), '3.1%'],
      ['Key', 'Reader', '1.5%'],
    ]);
    for (const { path, number } of parts) {
      const found: bigint[] = [];
      let next: string | undefined = path;
      while (next !== undefined) {
        const page = await client.get(next);
        found.push(...idsIn(page.html));
        next = nextIn(page.html);
      }
      expect([path, found.length]).toEqual([path, number]);
    }
  });

  it('divide the refused requests of a key on its page, below its calls of each day', async () => {
    const keys = await service.app.get(ApiKeysService).list();
    const id = keys.find(({ name }) => name === 'test')?.id ?? '';
    await service.app.get(KeyUsage).flush();
    const { html } = await client.get(`/admin/keys/${id}`);
    const parts = refusalsIn(html);
    expect(parts.map(({ group, name, number }) => [group, name, number])).toEqual([
      ['Status', '400 Bad Request', 60],
      ['Status', '404 Not Found', 2],
      ['Error code', 'invalid_parameter', 60],
      ['Error code', 'pet_not_found', 2],
    ]);
    expect(parts[1]?.path).toBe(`/admin/requests?key=${id}&outcome=refused&status=404`);
    expect(idsIn((await client.get(parts[1]?.path ?? '')).html)).toHaveLength(2);
    expect(html).toMatch(/role="img" aria-labelledby="calls-title calls-text"/);
    const unused = await service.app.get(ApiKeysService).create({ name: 'unused', scopes: ['pets:read'] });
    const other = await client.get(`/admin/keys/${unused.key.id}`);
    expect(refusalsIn(other.html)).toEqual([]);
  });

  it('count the refused among the newest 20,000 requests only', async () => {
    const log = service.app.get(RequestLogRepository);
    const now = Date.now();
    const row = (i: number): LoggedRequest => ({
      ...{ id: firstIdAt(now - i), at: new Date(now - i), requestId: `flood-${i}`, traceId: null },
      ...{ keyId: 'key_flood', method: 'GET', route: '/v1/pets', status: 429, outcome: 'refused' },
      ...{ code: 'rate_limited', message: 'no', durationMs: 1, address: null, node: 'here' },
    });
    for (let i = 0; i < 21_000; i += 1_000) {
      await log.insert(Array.from({ length: 1_000 }, (_, j) => row(i + j)));
    }
    const counted = await log.refusals({ keyId: 'key_flood' }, 5);
    expect(counted).toEqual({
      count: 20_000,
      hasMore: true,
      values: [
        { by: 'status', value: '429', count: 20_000 },
        { by: 'code', value: 'rate_limited', count: 20_000 },
        { by: 'keyId', value: 'key_flood', count: 20_000 },
      ],
    });
    expect(await log.refusals({ keyId: 'key_flood', from: new Date(now - 9) }, 5)).toMatchObject({
      count: 10,
      hasMore: false,
    });
    const { html } = await client.get('/admin/overview?range=1h');
    expect(textIn(html)).toMatch(/\b20,000\b/);
  });

  it('are linked from the history of a record, which shows changes of clients beside those of operators', async () => {
    const records = service.app.get(RecordsService, { strict: false });
    const { id: elder } = await records.create(PETS_ADMIN, { name: 'Elder', categoryId: 1n });
    const as = { 'x-request-id': 'a-client' };
    const posted = await service.post('/v1/pets', { name: 'Posted', categoryId: 1 }, as);
    const { id } = (await posted.json()) as { id: number };
    await records.update(PETS_ADMIN, BigInt(id), { name: 'Renamed' });
    await until(async () => {
      await service.app.get(RequestLog).write();
      return (await client.get('/admin/requests?request=a-client')).status === 303;
    });
    const { html } = await client.get(`/admin/records/pets/${id}`);
    expect(historyIn({ html }).map(([title, actor]) => [title, actor])).toEqual([
      ['Changed', 'service'],
      ['Added', expect.stringMatching(/^key_/)],
    ]);
    expect(html).toMatch(/<code>createPet<\/code>[^]*class="history-origin">[^<]*127\.0\.0\.1/);
    expect(codesIn({ html })).toEqual([]);
    expect(html).toContain('<a href="/admin/requests?request=a-client">a-client</a>');
    // Operators added it before any client did anything.
    expect(codesIn(await client.get(`/admin/records/pets/${elder}`))).toEqual(['known_since']);
  });

  it('respond with 404 for a missing request', async () => {
    for (const id of ['0', '7', 'x', '99999999999999999999']) {
      expect((await client.get(`/admin/requests/${id}`)).status).toBe(404);
    }
  });
});
