import { createToken } from '../../src/platform/security/api-key-token';
import { CliProcess } from '../cli/support/cli-process';
import type { TestDatabase } from '../support/databases/databases';
import { createMigratedDatabase } from '../support/databases/migrated-database';
import { makeFolder } from '../support/folders';
import { freePort } from '../support/processes/free-port';
import { exchange, RawConnection } from '../support/http/raw-http';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';
import { closeTerminals, ServiceOnTerminal } from './support/on-terminal';
import { MALFORMED, oddRequests, PASSWORD, type Secrets } from './support/odd-requests';

const cwd = makeFolder();
const CREATE = ['keys', 'create', '--scopes', 'pets:read,pets:write', '--name'];
const CLEAN = { code: 0, signal: null };

let database: TestDatabase;

beforeEach(async () => {
  database = await createMigratedDatabase('sqlite');
});
afterEach(async () => {
  await endServiceProcesses();
  await closeTerminals();
  await database.drop();
});

function start(environment: Record<string, string>, through?: readonly string[]): Promise<ServiceProcess> {
  return ServiceProcess.start(
    { DATABASE_URL: database.url, NODE_ENV: 'production', ...environment },
    {
      cwd,
      ...(through && { through }),
    },
  );
}

/** The lines of requests, by request id. */
function requestLines(service: ServiceProcess): Map<string, Record<string, unknown>[]> {
  const lines = service.log().filter(({ msg }) => msg === 'request');
  return Map.groupBy(lines, ({ requestId }) => String(requestId));
}

/** The code of an error, which HEAD is not told. */
function codeOf(status: number, body: string): unknown {
  if (status < 400) return undefined;
  return body === '' ? expect.stringMatching(/^[a-z_]+$/) : (JSON.parse(body) as { code: unknown }).code;
}

const MEMBERS = {
  level: 30,
  time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  service: 'petstore',
  msg: 'request',
};
const DURATION = expect.any(Number);

describe('The log of a whole run', () => {
  it('has one line for each of hundreds of odd requests, and no key in any', async () => {
    const key = createToken();
    const service = await start({ BOOTSTRAP_API_KEY: key });
    const cli = new CliProcess({ DATABASE_URL: database.url });
    const made = await cli.json<{ id: string; key: string }>(...CREATE, 'beside');
    const revoked = await cli.json<{ id: string; key: string }>(...CREATE, 'revoked');
    const revocation = await cli.run('keys', 'revoke', revoked.id);
    expect(revocation.code).toBe(0);
    const secrets: Secrets = { valid: [key, made.key], others: [createToken(), revoked.key, `${key}x`] };

    const answered: { id: string; status: number; code: unknown }[] = [];
    for (const request of oddRequests(secrets)) {
      for (const { status, headers, body } of await exchange(service.port, request.bytes, {
        head: request.isHead,
      })) {
        if (status < 200) continue;
        const id = headers.get('x-request-id')?.[0] ?? '';
        answered.push({ id, status, code: codeOf(status, body) });
      }
    }
    expect(answered.length).toBeGreaterThan(300);
    expect(new Set(answered.map(({ status }) => Math.floor(status / 100)))).toEqual(new Set([2, 4]));
    expect(await service.kill('SIGTERM')).toEqual(CLEAN);

    const written = service.stdout + service.stderr;
    const shown = (text: string) =>
      [...secrets.valid, ...secrets.others, PASSWORD].filter((secret) => text.includes(secret));
    expect(shown(written + revocation.stdout + revocation.stderr)).toEqual([]);
    expect(written.match(/petk_\w.*|authorization.*|bearer.*|basic.*/gi)).toBeNull();

    for (const line of service.stderr.trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
    const logged = requestLines(service);
    const wanted = Map.groupBy(answered, ({ id }) => (id.startsWith('petk_') ? 'petk_[redacted]' : id));
    expect(new Set(logged.keys())).toEqual(new Set(wanted.keys()));
    for (const [id, responses] of wanted) {
      expect(logged.get(id)?.map(({ status, code }) => ({ status, code }))).toEqual(
        responses.map(({ status, code }) => ({ status, code })),
      );
    }
    for (const [line] of logged.values()) {
      const {
        method,
        route,
        keyId,
        durationMs,
        status,
        code: __,
        requestId: _,
        createdId: ___,
        statements,
        statementsMs,
        waitMs,
        ...rest
      } = line ?? {};
      expect(rest).toEqual(MEMBERS);
      // A wait under a millisecond is left out.
      expect(['number', 'undefined']).toContain(typeof waitMs);
      expect(typeof statementsMs).toBe(statements === undefined ? 'undefined' : 'number');
      expect(['string', 'undefined']).toContain(typeof method);
      expect([undefined, '/v1/pets', '/v1/pets/{petId}', '/docs', '/openapi.json']).toContain(route);
      if (keyId !== undefined) expect(keyId).toMatch(/^key_[\da-f]{16}$/);
      expect(method === undefined ? durationMs : typeof durationMs).toBe(method && 'number');
      expect(status).toBeGreaterThanOrEqual(200);
    }
  });

  it('describes each request without members that it does not know', async () => {
    const key = createToken();
    const service = await start({ BOOTSTRAP_API_KEY: key });
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const ask = async (id: string, path: string, init: RequestInit = {}) => {
      await service.fetch(path, key, { ...init, headers: { 'x-request-id': id, ...init.headers } });
    };
    await ask('list', '/v1/pets?limit=3');
    await ask('one', '/v1/pets/17', { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } });
    await ask('faulty-trace', '/v1/pets', { headers: { traceparent: `00-${traceId}-b7ad6b7169203331` } });
    await ask('no-key', '/v1/pets', { headers: { authorization: '' } });
    await ask('no-path', '/v1/nothing');
    await ask('no-method', '/v1/pets', { method: 'PUT' });
    await ask('probe', '/health/live');
    const [malformed] = await exchange(service.port, MALFORMED);
    const gone = await RawConnection.open(service.port);
    gone.send(
      `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: gone\r\nAuthorization: Bearer ${key}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{',
    );
    await ask('after', '/v1/pets');
    gone.reset();
    await until(() => requestLines(service).has('gone'));
    expect(await service.kill('SIGTERM')).toEqual(CLEAN);

    const lines = requestLines(service);
    // How long requests waited is as the machine is.
    for (const line of [...lines.values()].flat()) delete line['waitMs'];
    const keyId = lines.get('list')?.[0]?.keyId;
    expect(keyId).toMatch(/^key_/);
    const line = (members: object) => [{ ...MEMBERS, durationMs: DURATION, ...members }];
    const asked = { statements: expect.any(Number) as number, statementsMs: expect.any(Number) as number };
    const list = { method: 'GET', route: '/v1/pets', status: 200, keyId, ...asked };
    const refusedId = malformed?.headers.get('x-request-id')?.[0] ?? '';
    expect(Object.fromEntries(lines)).toEqual({
      list: line({ requestId: 'list', ...list }),
      one: line({
        requestId: 'one',
        method: 'GET',
        route: '/v1/pets/{petId}',
        status: 404,
        code: 'pet_not_found',
        keyId,
        traceId,
        ...asked,
      }),
      'faulty-trace': line({ requestId: 'faulty-trace', ...list }),
      'no-key': line({
        requestId: 'no-key',
        method: 'GET',
        route: '/v1/pets',
        status: 401,
        code: 'unauthorized',
      }),
      'no-path': line({ requestId: 'no-path', method: 'GET', status: 404, code: 'not_found' }),
      'no-method': line({ requestId: 'no-method', method: 'PUT', status: 405, code: 'method_not_allowed' }),
      after: line({ requestId: 'after', ...list }),
      gone: line({ requestId: 'gone', method: 'POST', route: '/v1/pets', keyId, aborted: true }),
      [refusedId]: [{ ...MEMBERS, requestId: refusedId, status: 400, code: 'bad_request' }],
    });
  });

  it('has probes and the management port only at the level debug', async () => {
    const service = await start({ LOG_LEVEL: 'debug' });
    const headers = { 'x-request-id': 'probe' };
    await fetch(`${service.url}/health/live`, { headers });
    await fetch(`${service.managementUrl}/metrics`, { headers: { 'x-request-id': 'scrape' } });
    expect(await service.kill('SIGTERM')).toEqual(CLEAN);
    const lines = requestLines(service);
    expect(lines.get('probe')).toMatchObject([{ level: 20, route: '/health/live', status: 200 }]);
    expect(lines.get('scrape')).toMatchObject([{ level: 20, route: '/metrics', status: 200 }]);
  });

  it('loses no request at a stop', async () => {
    const key = createToken();
    const service = await start({ BOOTSTRAP_API_KEY: key });
    const ids = Array.from({ length: 500 }, (_, index) => `r-${index}`);
    await Promise.all(ids.map((id) => service.fetch('/v1/pets', key, { headers: { 'x-request-id': id } })));
    expect(await service.kill('SIGTERM')).toEqual(CLEAN);
    expect([...requestLines(service).keys()].sort()).toEqual(ids.sort());
  });

  it('loses no request when a second signal ends the service at once', async () => {
    const key = createToken();
    const service = await start({ BOOTSTRAP_API_KEY: key, DRAIN_DELAY: '60s' });
    service.signal('SIGTERM');
    await until(() => service.log().some(({ msg }) => msg === 'The service is stopping.'));
    await service.fetch('/v1/pets', key, { headers: { 'x-request-id': 'last' } });
    expect(await service.kill('SIGTERM')).toEqual({ code: 1, signal: null });
    expect([...requestLines(service).keys()]).toEqual(['last']);
  });
});

describe('A service with an unusual log', () => {
  it('serves even when its log cannot be written', async () => {
    const port = await freePort('127.0.0.1');
    const key = createToken();
    // Nothing of it is seen: /dev/full is a full disk.
    const service = new ServiceProcess(
      {
        DATABASE_URL: database.url,
        NODE_ENV: 'production',
        BOOTSTRAP_API_KEY: key,
        PORT: String(port),
      },
      { cwd, through: ['sh', '-c', 'exec "$@" 2>/dev/full', 'sh'] },
    );
    const list = () =>
      fetch(`http://127.0.0.1:${port}/v1/pets`, { headers: { authorization: `Bearer ${key}` } });
    await until(async () => (await list().catch(() => undefined))?.status === 200);
    for (let i = 0; i < 100; i++) expect((await list()).status).toBe(200);
    expect(await service.kill('SIGTERM')).toEqual(CLEAN);
  });

  it('writes for a person on a terminal', async () => {
    const key = createToken();
    const environment = { DATABASE_URL: database.url, BOOTSTRAP_API_KEY: key };
    const service = await ServiceOnTerminal.start(environment, cwd);
    const { url } = service;
    const headers = { authorization: `Bearer ${key}`, 'x-request-id': 'mine' };
    await fetch(`${url}/v1/pets`, { headers });
    await fetch(`${url}/v1/pets/1`);
    await fetch(`${url}/${key}`);
    // Before Ctrl+C, at which a terminal forgets what it has not shown yet.
    await until(() => service.shown.includes('404'));
    service.type('\u0003');
    expect(await service.ended).toBe(0);
    const { shown } = service;
    expect(shown).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: GET \/v1\/pets 200 \d+\.\d ms {2}mine\r?$/m);
    expect(shown).toMatch(/INFO: GET \/v1\/pets\/\{petId\} 401 unauthorized \d+\.\d ms {2}[\da-f-]{36}\r?$/m);
    expect(shown).toMatch(/INFO: GET \(no route\) 404 not_found /);
    expect(shown).not.toMatch(/petk_|^\{/m);
  });
});
