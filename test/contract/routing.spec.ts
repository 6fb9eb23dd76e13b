import { exchange } from '../support/http/raw-http';
import { allowAnywhere } from './support/allow';
import { expectNothingGivenAway } from './support/expect-error';
import { ask, field, wireBytes, type WireRequest } from './support/request';
import { itRefuses } from './support/rows';
import { useService } from './support/service';

const service = useService('sqlite');
const PETS_ALLOW = 'GET, HEAD, OPTIONS, POST';
const PET_ALLOW = 'GET, HEAD, OPTIONS';

describe('The service at an unknown path', () => {
  itRefuses(
    service,
    [
      '/',
      '/pets',
      '/v1/pets/',
      '/v1/PETS',
      '/v1//pets',
      '/v1/pets/../pets',
      '/v1/%70ets',
      '/health/live/',
      '*',
    ].map((target) => ({ of: target, request: { target }, status: 404, code: 'not_found' })),
  );

  itRefuses(
    service,
    ['POST', 'OPTIONS'].map((method) => ({
      of: `${method} of it`,
      request: { method, target: '/v1/no-such-thing', headers: { 'Content-Length': '0' } },
      status: 404,
      code: 'not_found',
    })),
  );

  it('never redirects', async () => {
    expect(field(await ask(service(), { target: '/v1/pets/' }), 'location')).toBeUndefined();
  });
});

describe('The service at the root path', () => {
  const BROWSERS = [
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'text/html',
    'application/json, TEXT/HTML;q=0.1',
    'text/html;charset=utf-8',
  ];
  const PROGRAMS = ['*/*', 'text/*', 'application/json', 'text/html;q=0', 'text/html-fragment', 'text', ''];

  it.each(BROWSERS)(
    'redirects a browser that accepts %s to the docs, with the same fields for HEAD',
    async (accept) => {
      const headers = { Accept: accept, 'X-Request-Id': 'same' };
      for (const request of [
        { target: '/', headers },
        { target: '/?utm_source=mail', headers, key: null },
        { target: 'http://petstore.test/', headers },
        { target: '/', headers, method: 'HEAD' },
      ]) {
        const response = await ask(service(), request);
        expect(response).toMatchObject({ status: 303, body: '' });
        expect(Object.fromEntries(response.headers)).toMatchObject({
          location: ['/docs'],
          vary: ['Accept'],
          'content-length': ['0'],
          'cache-control': ['no-store'],
          'x-content-type-options': ['nosniff'],
          'x-request-id': ['same'],
        });
        expectNothingGivenAway(response);
      }
      expect((await ask(service(), { target: '/docs', headers })).status).toBe(200);
    },
  );

  itRefuses(
    service,
    PROGRAMS.map((accept) => ({
      of: `GET / that accepts ${accept || 'nothing in particular'}`,
      request: { target: '/', headers: { Accept: accept } },
      status: 404,
      code: 'not_found',
      fields: { Vary: 'Accept' },
    })),
  );

  itRefuses(
    service,
    ['POST', 'OPTIONS'].map((method) => ({
      of: `${method} / of a browser`,
      request: { method, target: '/', headers: { Accept: 'text/html', 'Content-Length': '0' } },
      status: 404,
      code: 'not_found',
    })),
  );

  itRefuses(
    service,
    ['/v1', '//'].map((target) => ({
      of: `${target} of a browser`,
      request: { target, headers: { Accept: 'text/html' } },
      status: 404,
      code: 'not_found',
    })),
  );
});

describe('The service at a path that cannot be decoded', () => {
  itRefuses(
    service,
    ['/v1/pets/%', '/v1/pets/%ff'].map((target) => ({
      of: target,
      request: { target },
      status: 400,
      code: 'invalid_path',
      offending: [target.slice(1)],
    })),
  );

  it('serves a path with valid escapes', async () => {
    expect(await ask(service(), { target: '/v1/pets/%F0%9F%90%B6' })).toMatchObject({ status: 404 });
  });
});

describe('The service with another method on a known path', () => {
  itRefuses(service, [
    ...['DELETE', 'TRACE', 'QUERY'].map((method) => notAllowed(method, '/v1/pets', PETS_ALLOW)),
    notAllowed('POST', '/v1/pets/1', PET_ALLOW),
    notAllowed('POST', '/health/live', PET_ALLOW),
    notAllowed('POST', '/health/ready', PET_ALLOW),
  ]);

  function notAllowed(method: string, target: string, allow: string) {
    return {
      of: `${method} ${target}`,
      request: { method, target, key: null, headers: { 'Content-Length': '0' } },
      status: 405,
      code: 'method_not_allowed',
      fields: { Allow: allow },
    };
  }
});

describe('The service with the method OPTIONS', () => {
  it.each<[string, string | undefined]>([
    ['/v1/pets', PETS_ALLOW],
    ['/v1/pets?limit=none', PETS_ALLOW],
    ['/v1/pets/1', PET_ALLOW],
    ['/v1/pets/none', PET_ALLOW],
    ['/health/live', PET_ALLOW],
    ['*', undefined],
    ['http://petstore.test/v1/pets', PETS_ALLOW],
  ])('responds to %s with 204 and Allow, without a key', async (target, allow) => {
    const headers = { 'X-Request-Id': 'mine', Accept: 'text/html' };
    const response = await ask(service(), { method: 'OPTIONS', target, key: null, headers });
    expect(response).toMatchObject({ status: 204, body: '' });
    expect(field(response, 'allow')).toBe(allow ?? (await allowAnywhere(service())));
    expect(field(response, 'x-request-id')).toBe('mine');
    expect(field(response, 'content-length')).toBeUndefined();
    expectNothingGivenAway(response);
  });
});

describe('The service with the method HEAD', () => {
  beforeAll(async () => {
    await service().post('/v1/pets', { name: 'Rex', categoryId: 1, status: 'sold' });
    await service().post('/v1/pets', { name: 'Żółw 🐢', categoryId: 2 });
  });

  it.each<[string, WireRequest, number]>([
    ['a list with a next page', { target: '/v1/pets?limit=1' }, 200],
    ['a pet', { target: '/v1/pets/2' }, 200],
    ['an unchanged list', { headers: { 'If-None-Match': '*' } }, 304],
    ['no key', { key: null }, 401],
    ['an unknown pet', { target: '/v1/pets/99' }, 404],
    ['an unknown path', { target: '/none' }, 404],
    ['another expectation', { headers: { Expect: 'magic' } }, 417],
    ['liveness', { target: '/health/live', key: null }, 200],
  ])('responds to %s with the header fields of GET and no body', async (_case, request, status) => {
    const headers = { ...request.headers, 'X-Request-Id': 'same' };
    const get = await ask(service(), { ...request, headers });
    const bytes = wireBytes({ ...request, headers, method: 'HEAD' }, service().key);
    // A body would be taken for the beginning of the second response.
    const heads = await exchange(service().port, Buffer.concat([bytes, bytes]), { head: true, responses: 2 });
    expect([get, ...heads].map((response) => response.status)).toEqual([status, status, status]);
    for (const head of heads) expect(withoutDate(head)).toEqual(withoutDate(get));
    if (status === 304) expect(get.body).toBe('');
    else expect(field(get, 'content-length')).toBe(String(Buffer.byteLength(get.body)));
  });

  function withoutDate({ headers }: { headers: ReadonlyMap<string, readonly string[]> }) {
    return [...headers].filter(([name]) => name !== 'date').sort();
  }
});
