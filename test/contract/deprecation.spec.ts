import { KeyUsage } from '../../src/auth/usage/key-usage';
import { OperationUsesRepository } from '../../src/auth/usage/operation-uses.repository';
import { ApiKeysService } from '../../src/auth/api-keys.service';
import { createToken } from '../../src/platform/security/api-key-token';
import { describeOneEngine } from '../support/databases/databases';
import type { RawResponse } from '../support/http/raw-http';
import { linksOf } from './support/links';
import { ask, field, type WireRequest } from './support/request';
import { expectRefused } from './support/rows';
import { useService } from './support/service';

const PET = '/v1/pets/1';

function expectAnnounced(response: RawResponse): void {
  expect(field(response, 'deprecation')).toBe('@1764892800');
  expect(field(response, 'sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
  const links = linksOf(response);
  expect([...links.keys()].sort()).toEqual(['deprecation', 'successor-version', 'sunset']);
  expect(links.get('successor-version')).toBe('/v1/pets');
}

describe('The deprecation of getPet', () => {
  const service = useService('sqlite');
  let writeOnly = '';
  beforeAll(async () => {
    await service().post('/v1/pets', { name: 'Rex', categoryId: 1 });
    writeOnly = await service().keyWith('pets:write');
  });

  it.each<[number, string, () => WireRequest]>([
    [200, 'the pet', () => ({ target: PET })],
    [200, 'HEAD', () => ({ target: PET, method: 'HEAD' })],
    [304, 'an unchanged pet', () => ({ target: PET, headers: { 'If-None-Match': '*' } })],
    [204, 'OPTIONS', () => ({ target: PET, method: 'OPTIONS', key: null })],
    [400, 'an unknown parameter', () => ({ target: `${PET}?page=2` })],
    [
      400,
      'two Authorization fields',
      () => ({ target: PET, headers: { Authorization: ['Bearer a', 'Bearer a'] } }),
    ],
    [401, 'no key', () => ({ target: PET, key: null })],
    [401, 'an unknown key', () => ({ target: PET, key: createToken() })],
    [403, 'a key without the scope', () => ({ target: PET, key: writeOnly })],
    [404, 'an unknown pet', () => ({ target: '/v1/pets/99' })],
    [404, 'no petId', () => ({ target: '/v1/pets/x' })],
    [405, 'another method', () => ({ target: PET, method: 'DELETE' })],
    [406, 'text/html only', () => ({ target: PET, headers: { Accept: 'text/html' } })],
  ])('is announced with the %i for %s', async (status, _what, request) => {
    const response = await ask(service(), request());
    expect(response.status).toBe(status);
    expectAnnounced(response);
  });

  it.each(['/v1/pets', '/v1/pets?page=2', '/none', '/health/live'])(
    'is not announced at %s',
    async (target) => {
      const response = await ask(service(), { target });
      expect([field(response, 'deprecation'), field(response, 'sunset')]).toEqual([undefined, undefined]);
    },
  );

  it('links to an existing page', async () => {
    const links = linksOf(await ask(service(), { target: PET }));
    for (const rel of ['deprecation', 'sunset']) {
      const [page, fragment] = (links.get(rel) as string).split('#');
      const response = await ask(service(), { target: page, key: null });
      expect(response.status).toBe(200);
      expect(field(response, 'content-type')).toMatch(/^text\/html/);
      expect(response.body).toContain(` id="${fragment}"`);
    }
  });
});

describe('The links of a deprecation', () => {
  const service = useService('sqlite', { PUBLIC_BASE_URL: 'https://api.example.com/v1' });

  it('begin with PUBLIC_BASE_URL if set', async () => {
    const links = linksOf(await ask(service(), { target: PET }));
    expect(links.get('deprecation')).toMatch(/^https:\/\/api\.example\.com\/docs\//);
    expect(links.get('successor-version')).toBe('https://api.example.com/v1/pets');
  });
});

/** An interval in hours from now, as the setting writes it. */
function interval(fromHours: number, toHours: number): string {
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().replace(/\.\d+/, '');
  return `${at(fromHours)}/${at(toHours)}`;
}

describe('A brownout', () => {
  const to = Math.floor(Date.now() / 1000) + 1_800;
  const end = new Date(to * 1000).toISOString().replace('.000', '');
  const inWindow = useService('sqlite', {
    DEPRECATED_OPERATIONS: `getPet=brownout(${interval(-5, -4)}, ${interval(-1, 0).split('/')[0]}/${end}, ${interval(4, 5)})`,
  });
  const between = useService('sqlite', {
    DEPRECATED_OPERATIONS: `getPet=brownout(${interval(-2, -1)}, ${interval(1, 2)})`,
  });
  beforeAll(async () => {
    for (const one of [inWindow(), between()]) await one.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  });

  it.each(['GET', 'HEAD'])('responds to %s with 410 operation_brownout and when to retry', async (method) => {
    const earliest = to - Date.now() / 1000;
    const response = await expectRefused(inWindow(), {
      request: { method, target: PET },
      status: 410,
      code: 'operation_brownout',
    });
    expectAnnounced(response);
    const retryAfter = Number(field(response, 'retry-after'));
    expect(retryAfter).toBeLessThanOrEqual(Math.ceil(earliest));
    expect(retryAfter).toBeGreaterThanOrEqual(Math.ceil(to - Date.now() / 1000));
  });

  it.each<[number, WireRequest]>([
    [200, {}],
    [204, { target: PET, method: 'OPTIONS' }],
    [401, { target: PET, key: null }],
    [405, { target: PET, method: 'DELETE' }],
  ])('does not change a response with %i', async (status, request) => {
    expect(await ask(inWindow(), request)).toMatchObject({ status });
  });

  it('does not change the operation outside its windows', async () => {
    const response = await ask(between(), { target: PET });
    expect(response.status).toBe(200);
    expect(field(response, 'retry-after')).toBeUndefined();
    expectAnnounced(response);
  });
});

describe('A removed operation', () => {
  const service = useService('sqlite', { DEPRECATED_OPERATIONS: 'getPet=removed' });

  it('responds with 410 operation_removed for good', async () => {
    const response = await expectRefused(service(), {
      request: { target: PET },
      status: 410,
      code: 'operation_removed',
    });
    expectAnnounced(response);
    expect(field(response, 'retry-after')).toBeUndefined();
    expect(await ask(service(), {})).toMatchObject({ status: 200 });
  });
});

describeOneEngine('The use of an operation', (engine) => {
  const service = useService(engine);

  it('is counted per key, whatever the response, but never without a key or a scope', async () => {
    const reader = await service().keyWith('pets:read');
    const writer = await service().keyWith('pets:write');
    await service().post('/v1/pets', { name: 'Rex', categoryId: 1 });
    const use = async (times: number, request: WireRequest) => {
      for (let i = 0; i < times; i++) await ask(service(), request);
    };
    await use(3, { target: PET });
    await use(1, { target: PET, headers: { 'If-None-Match': '*' } });
    await use(2, { target: '/v1/pets/99', key: reader });
    await use(2, { target: PET, key: writer });
    await use(2, { target: PET, key: null });
    await use(5, {});
    await ask(service(), { target: '/none' });
    const usage = service().app.get(KeyUsage);
    await usage.flush();
    await use(1, { target: PET, method: 'HEAD', key: reader });
    await usage.flush();
    await usage.flush();

    const keys = (await service().app.get(ApiKeysService).list()).filter(({ name }) => name === 'test');
    const idOf = (scopes: string) => keys.find((key) => key.scopes.join() === scopes)?.id;
    const uses = await service().app.get(OperationUsesRepository).list();
    const all = idOf(service().app.get(ApiKeysService).knownScopes.join());
    expect(uses.map(({ keyId, operation, count }) => [keyId, operation, count])).toEqual(
      [
        [all, 'createPet', 1n],
        [all, 'getPet', 4n],
        [idOf('pets:read'), 'getPet', 3n],
        [all, 'listPets', 5n],
      ].toSorted(([a, b], [c, d]) => (`${String(b)} ${String(a)}` < `${String(d)} ${String(c)}` ? -1 : 1)),
    );
  });
});
