import { expectError } from '../support/http/error-responses';
import { BarnsModule } from '../support/barns.module';
import { exchange } from '../support/http/raw-http';
import { expectContractError } from './support/expect-error';
import { ask, field, type Target } from './support/request';
import { expectRefused, itRefuses } from './support/rows';
import { useService } from './support/service';

const service = useService(
  'sqlite',
  { CORS_ORIGINS: 'https://shop.example.com', MANAGEMENT_ALLOWED_HOSTS: 'petstore, petstore.test' },
  { BarnsModule },
);
const management = (): Target => ({ port: service().managementPort, key: service().key });
const ALLOW = 'GET, HEAD, OPTIONS';
/** What some path of the port supports. */
const ALLOW_ANYWHERE = 'GET, HEAD, OPTIONS, POST';

describe('The public port without the endpoints of operators', () => {
  itRefuses(
    service,
    ['/metrics', '/@management/metrics', '/v1/metrics', '/health'].map((target) => ({
      of: target,
      request: { target },
      status: 404,
      code: 'not_found',
    })),
  );

  it('refuses them whatever port a client names', async () => {
    const { port, managementPort } = service();
    const claims: Record<string, string>[] = [
      { Host: `127.0.0.1:${managementPort}` },
      { Forwarded: `host="127.0.0.1:${managementPort}"` },
      { 'X-Forwarded-Port': String(managementPort) },
    ];
    for (const headers of claims) {
      await expectRefused(
        { port, key: service().key },
        {
          request: { target: '/metrics', headers },
          status: 404,
          code: 'not_found',
        },
      );
    }
    const target = `http://127.0.0.1:${managementPort}/metrics`;
    await expectRefused(service(), { request: { target }, status: 404, code: 'not_found' });
  });
});

describe('The Host field of the management port', () => {
  const targets = ['/metrics', '/health', '/health/live', '/health/ready', '/nothing'];
  const askWith = async (target: string, ...fields: string[]) => {
    const lines = [`GET ${target} HTTP/1.${fields.length === 0 ? 0 : 1}`, ...fields, '', ''];
    return (await exchange(service().managementPort, lines.join('\r\n')))[0];
  };

  it.each(['10.1.2.3:3001', '[fd00::7]:3001', 'localhost', 'petstore:3001', 'PETSTORE'])(
    'may be %s, as probes and Prometheus send',
    async (host) => {
      for (const target of targets) {
        const response = await askWith(target, `Host: ${host}`);
        expect([target, response?.status]).toEqual([target, target === '/nothing' ? 404 : 200]);
      }
    },
  );

  it('may be missing, as HTTP/1.0 allows and no browser does', async () => {
    expect((await askWith('/health/live'))?.status).toBe(200);
  });

  it.each([
    'rebound.example.com',
    'rebound.example.com:3001',
    'petstore.example.com',
    'rebound.petstore',
    'localhost.',
  ])('may not be %s, because of DNS rebinding', async (host) => {
    for (const target of targets) {
      const response = await askWith(target, `Host: ${host}`);
      expectError(response, 421, 'misdirected_request');
      expect(response?.body).toContain('MANAGEMENT_ALLOWED_HOSTS');
    }
  });
});

describe('The management port', () => {
  itRefuses(
    management,
    [
      '/v1/pets',
      '/v1/pets/1',
      '/docs',
      '/docs/openapi.json',
      '/@management/metrics',
      '/metrics/',
      '//',
      '/nothing/',
    ].map((target) => ({ of: target, request: { target }, status: 404, code: 'not_found' })),
  );

  itRefuses(management, [
    {
      of: 'POST',
      request: { method: 'POST', target: '/metrics', headers: { 'Content-Length': '0' } },
      status: 405,
      code: 'method_not_allowed',
      fields: { Allow: ALLOW },
    },
    { of: 'a path that cannot be decoded', request: { target: '/%' }, status: 400, code: 'invalid_path' },
    {
      of: 'a target that is too long',
      request: { target: `/metrics?${'a'.repeat(8_000)}` },
      status: 414,
      code: 'uri_too_long',
    },
    {
      of: 'another expectation',
      request: { target: '/metrics', headers: { Expect: 'magic' } },
      status: 417,
      code: 'expectation_failed',
    },
    {
      of: 'CONNECT',
      request: { method: 'CONNECT', target: 'petstore.test:443' },
      status: 405,
      code: 'method_not_allowed',
      fields: { Allow: ALLOW_ANYWHERE },
    },
  ]);

  it.each([
    ['noise', 'nonsense\r\n\r\n', 400, 'bad_request'],
    ['no Host', 'GET /metrics HTTP/1.1\r\n\r\n', 400, 'bad_request'],
    ['a Host that is no host', 'GET /metrics HTTP/1.1\r\nHost: <script>\r\n\r\n', 400, 'bad_request'],
    [
      'large headers',
      `GET /metrics HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
  ])('refuses %s like the public port', async (_case, bytes, status, code) => {
    const [response] = await exchange(management().port, bytes);
    expectContractError(response as NonNullable<typeof response>, { status, code });
  });

  it('responds to OPTIONS, even of *, with its methods', async () => {
    for (const [target, allow] of [
      ['/metrics', ALLOW],
      ['*', ALLOW_ANYWHERE],
    ]) {
      const response = await ask(management(), { method: 'OPTIONS', target, key: null });
      expect([response.status, field(response, 'allow')]).toEqual([204, allow]);
    }
  });

  it('lets no page of another origin read it', async () => {
    const headers = { Origin: 'https://shop.example.com' };
    const there = await ask(service(), { target: '/health/live', headers });
    expect(field(there, 'access-control-allow-origin')).toBe('https://shop.example.com');
    const here = await ask(management(), { target: '/metrics', headers });
    expect([...here.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});
