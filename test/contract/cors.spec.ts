import type { RawResponse } from '../support/http/raw-http';
import { operationsOf, servedDocument } from '../support/service/served-document';
import { expectNothingGivenAway } from './support/expect-error';
import { ask, creation, field, type WireRequest } from './support/request';
import { useService } from './support/service';

const SHOP = 'https://shop.example.com';
const LOCAL = 'http://localhost:8080';

const EVERY_RESPONSE: [number, WireRequest][] = [
  [200, {}],
  [200, { target: '/v1/pets/1' }],
  [201, creation('{"name":"Rex","categoryId":1}')],
  [304, { headers: { 'If-None-Match': '*' } }],
  [400, { target: '/v1/pets?limit=0' }],
  [400, { target: '/%' }],
  [400, creation('{')],
  [401, { key: null }],
  [404, { target: '/none' }],
  [404, { target: '/v1/pets/99' }],
  [405, { method: 'DELETE' }],
  [406, { headers: { Accept: 'text/html' } }],
  [413, creation('', { headers: { 'Content-Length': '999999' } })],
  [414, { target: `/${'a'.repeat(9_000)}` }],
  [415, { method: 'POST', body: 'x' }],
];

function from(Origin: string, request: WireRequest): WireRequest {
  return { ...request, headers: { ...request.headers, Origin } };
}

function preflight(Origin: string, target = '/v1/pets'): WireRequest {
  const headers = {
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization,content-type',
  };
  return from(Origin, { method: 'OPTIONS', target, key: null, headers });
}

function items(response: RawResponse, name: string): string[] {
  return (field(response, name) ?? '').split(',').map((item) => item.trim().toLowerCase());
}

/** Fields that every page may read (Fetch standard), and those that browsers and proxies act on themselves. */
const NOT_FOR_PAGES =
  /^(?:access-control-|cache-control$|connection$|content-(?:encoding|length|security-policy|type)$|date$|keep-alive$|referrer-policy$|vary$|x-content-type-options$)/;

const DOCS: [number, WireRequest][] = [
  [200, { target: '/docs/openapi.json', key: null }],
  [200, { target: '/docs/openapi.json', key: null, headers: { 'Accept-Encoding': 'gzip' } }],
  [200, { target: '/docs', key: null }],
  [303, { target: '/', key: null, headers: { Accept: 'text/html' } }],
  [204, { method: 'OPTIONS', key: null }],
];

describe('CORS for named origins', () => {
  const service = useService('sqlite', { CORS_ORIGINS: `${SHOP},${LOCAL}` });
  beforeAll(async () => {
    await service().post('/v1/pets', { name: 'Rex', categoryId: 1 });
  });

  it.each([
    [SHOP, '/v1/pets'],
    [LOCAL, '/v1/pets/1'],
  ])('lets the origin %s send the requested fields to %s', async (origin, target) => {
    const response = await ask(service(), preflight(origin, target));
    expect([response.status, response.body]).toEqual([204, '']);
    expect(field(response, 'access-control-allow-origin')).toBe(origin);
    expect(items(response, 'access-control-allow-methods')).toEqual(expect.arrayContaining(['get', 'post']));
    expect(items(response, 'access-control-allow-headers')).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'if-none-match', 'x-request-id']),
    );
    expect(field(response, 'access-control-max-age')).toMatch(/^\d+$/);
    expect(field(response, 'access-control-allow-credentials')).toBeUndefined();
    expect(items(response, 'vary')).toContain('origin');
    expect(field(response, 'allow')).toContain('GET');
  });

  it.each(EVERY_RESPONSE)('is sent with a %i too: %j', async (status, request) => {
    const response = await ask(service(), from(SHOP, request));
    expect(response.status).toBe(status);
    expect(field(response, 'access-control-allow-origin')).toBe(SHOP);
    expect(items(response, 'vary')).toContain('origin');
    expect(items(response, 'access-control-expose-headers')).toEqual(
      expect.arrayContaining(['link', 'location', 'etag', 'www-authenticate', 'x-request-id', 'retry-after']),
    );
  });

  it.each([...EVERY_RESPONSE, ...DOCS])(
    'depends on the origin, and a cache is told so, whatever the origin: %i, %j',
    async (status, request) => {
      for (const sent of [request, from(SHOP, request), from('https://other.example.com', request)]) {
        const response = await ask(service(), sent);
        expect(response.status).toBe(status);
        expect(items(response, 'vary')).toContain('origin');
      }
    },
  );

  it('exposes every header field that is for clients', async () => {
    const creating = creation('{"name":"Kim","categoryId":1}', { headers: { 'Idempotency-Key': 'kim' } });
    const requests = [...EVERY_RESPONSE.map(([, request]) => request), creating, creating];
    const sent = new Set<string>();
    const exposed = new Set<string>();
    for (const request of requests) {
      const response = await ask(service(), from(SHOP, request));
      for (const name of response.headers.keys()) sent.add(name);
      for (const name of items(response, 'access-control-expose-headers')) exposed.add(name);
    }
    const documented = operationsOf(await servedDocument(service())).flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)),
    );
    for (const name of documented) sent.add(name.toLowerCase());
    const hidden = [...sent].filter((name) => !NOT_FOR_PAGES.test(name) && !exposed.has(name));
    expect(hidden).toEqual([]);
    expect(sent).toContain('idempotency-replayed');
  });

  it.each([
    'https://other.example.com',
    'http://shop.example.com',
    'https://shop.example.com.evil.example',
    'https://shop.example.com:8443',
    'https://SHOP.example.com/',
    'null',
    '*',
    `${SHOP},${LOCAL}`,
    '',
  ])('ignores the origin "%s"', async (origin) => {
    for (const request of [preflight(origin), from(origin, {}), from(origin, { key: null })]) {
      expectNothingGivenAway(await ask(service(), request));
    }
    expect(await ask(service(), preflight(origin))).toMatchObject({ status: 204 });
  });
});

describe('A service without CORS', () => {
  const service = useService('sqlite');
  beforeAll(async () => {
    await service().post('/v1/pets', { name: 'Rex', categoryId: 1 });
  });

  it.each(EVERY_RESPONSE)('sends no field of CORS: %i, %j', async (status, request) => {
    const response = await ask(service(), from(SHOP, request));
    expect(response.status).toBe(status);
    expectNothingGivenAway(response);
  });

  it('treats a preflight like any other OPTIONS', async () => {
    const response = await ask(service(), preflight(SHOP));
    expect(response.status).toBe(204);
    expectNothingGivenAway(response);
  });
});
