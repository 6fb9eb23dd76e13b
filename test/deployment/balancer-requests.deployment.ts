import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import type { ErrorBody } from '../../src/platform/errors/app-error';
import { BadRequestError, OverloadedError, RequestTimeoutError } from '../../src/platform/errors/http-errors';
import { createToken } from '../../src/platform/security/api-key-token';
import { makeFolder } from '../support/folders';
import { exchange, RawConnection, type RawResponse } from '../support/http/raw-http';
import { freePort } from '../support/processes/free-port';
import type { ListeningProgram } from '../support/processes/listening-program';
import { until } from '../support/until';
import {
  CONFIGURATION,
  haproxySendsFiles,
  HeldProcess,
  HOST,
  type Seen,
  startBalancer,
} from './support/balanced';
import { PROJECT } from './support/dockerfile';
import { launchHaproxy } from './support/proxies';
import { replacing } from './support/site';

const ERRORS = join(PROJECT, 'deploy', 'balancer', 'errors');

/** What the service says of these faults is what the balancer says. */
const bodyOf = (error: { toBody(): ErrorBody }) => JSON.stringify(error.toBody());

const KEY = `Authorization: Bearer ${createToken()}`;
const JSON_TYPE = 'Content-Type: application/json';
const head = (first: string, ...fields: readonly string[]) =>
  `${[`${first} HTTP/1.1`, 'Host: shop.example', ...fields].join('\r\n')}\r\n\r\n`;
const creation = (target: string, ...fields: readonly string[]) => head(`POST ${target}`, ...fields);

describe('The balancer before two processes', () => {
  const nodes = [new HeldProcess(), new HeldProcess()] as const;
  let balancer: ListeningProgram;
  let port: number;

  beforeAll(async () => {
    const [first, second] = [await nodes[0].start(), await nodes[1].start()];
    ({ balancer, port } = await startBalancer({
      BALANCER_PROXIES: '127.0.0.8 127.0.0.9',
      PETSTORE_1: first,
      PETSTORE_2: second,
    }));
  });
  afterEach(() => (nodes[0].isKilled = false));
  afterAll(async () => {
    await balancer.kill();
    for (const node of nodes) node.stop();
  });

  const arrivals = (target: string) =>
    nodes.flatMap(({ targets }) => targets).filter((each) => each === target).length;

  async function send(text: string, options = {}): Promise<RawResponse> {
    const [response] = await exchange(port, text, options);
    return response as RawResponse;
  }

  /** Asks until one of the requests has met the process that is killed. @returns the statuses */
  async function askTheKilled(method: string, target: string, fields = ''): Promise<number[]> {
    nodes[0].isKilled = true;
    const statuses: number[] = [];
    const body = method === 'POST' ? 'Content-Length: 2\r\n\r\n{}' : '\r\n';
    const text = `${method} ${target} HTTP/1.1\r\nHost: shop.example\r\n${fields}${body}`;
    do statuses.push((await send(text, { head: method === 'HEAD' })).status);
    while (!nodes[0].targets.includes(target));
    return statuses;
  }

  const POSTED = `${KEY}\r\n${JSON_TYPE}\r\n`;
  const ONCE = 'Idempotency-Key: a\r\n';

  it.each([
    ['GET', '/v1/repeated', ''],
    ['HEAD', '/v1/repeated-head', ''],
    ['OPTIONS', '/v1/repeated-options', ''],
    ['POST', '/v1/pets?repeated', POSTED + ONCE],
  ])(
    'repeats a %s %s that a killed process has not responded to, elsewhere',
    async (method, target, fields) => {
      const statuses = await askTheKilled(method, target, fields);
      expect(statuses).toEqual(statuses.map(() => 200));
    },
  );

  it.each([
    ['POST', '/v1/pets?once', 'without an Idempotency-Key', POSTED],
    ['POST', '/v1/others', 'which has no @Once()', POSTED + ONCE],
    ['POST', '/v1/pets/1', 'below a path that has it', POSTED + ONCE],
    ['PATCH', '/v1/pets?patch', 'which has no @Once()', ONCE],
    ['DELETE', '/v1/pets?delete', 'without an Idempotency-Key', ''],
  ])(
    'sends a %s %s only once, %s: a killed process may have carried it out',
    async (method, target, _, fields) => {
      const statuses = await askTheKilled(method, target, fields);
      expect(statuses.filter((status) => status !== 200)).toEqual([502]);
      expect(arrivals(target)).toBe(statuses.length);
    },
  );

  it.each([
    ['without a key', '/v1/no-key', [JSON_TYPE, 'Content-Length: 10']],
    ['with a malformed key', '/v1/bad-key', ['Authorization: Bearer x', JSON_TYPE, 'Content-Length: 10']],
    ['that is declared too large', '/v1/large', [KEY, JSON_TYPE, 'Content-Length: 102401']],
    ['of more digits than 64 bits', '/v1/long', [KEY, JSON_TYPE, 'Content-Length: 9007199254740993']],
    ['without a type', '/v1/no-type', [KEY, 'Content-Length: 10']],
  ])('passes a body %s on before it has come: it is refused', async (_, target, fields) => {
    expect((await send(creation(target, ...fields))).status).toBe(200);
  });

  it('keeps a request whose body comes slowly until all of it is there', async () => {
    const slow = await RawConnection.open(port);
    slow.send(`${creation('/v1/slow', KEY, JSON_TYPE, 'Content-Length: 4')}{}`);
    expect((await send(`${creation('/v1/whole', KEY, JSON_TYPE, 'Content-Length: 2')}{}`)).status).toBe(200);
    expect(arrivals('/v1/slow')).toBe(0);
    slow.send('  ');
    expect((await slow.nextResponse())?.status).toBe(200);
    expect(arrivals('/v1/slow')).toBe(1);
    slow.destroy();
  });

  it.each(['destroy', 'reset'] as const)('ends the request of a client that has left: %s', async (leave) => {
    const client = await RawConnection.open(port);
    client.send(head(`GET /v1/held-${leave}`, KEY));
    await until(() => nodes.some(({ waiting }) => waiting.length > 0));
    const [held] = nodes.flatMap(({ waiting }) => waiting.splice(0));
    client[leave]();
    await until(() => held?.response.destroyed === true);
  });

  it.each([
    ['of the client', ['X-Request-Id: the-client.1'], /^the-client\.1$/],
    ['of its own, where the client has none', [], /^[\da-f-]{36}$/],
    ['of its own, where the client has two', ['X-Request-Id: one', 'X-Request-Id: two'], /^[\da-f-]{36}$/],
    [
      'of its own, where the service would not take that of the client',
      ['X-Request-Id: two words'],
      /^[\da-f-]{36}$/,
    ],
  ])('gives the service the X-Request-Id of its own refusals: %s', async (_, fields, expected) => {
    const { body } = await send(head('GET /v1/pets', KEY, ...fields));
    expect((JSON.parse(body) as Seen).headers['x-request-id']).toMatch(expected);
  });

  it('passes on what a proxy before it says of the protocol and the host, and no one else', async () => {
    const ask = async (localAddress: string) => {
      const asked = request({
        ...{ host: HOST, port, path: '/v1/pets', localAddress },
        headers: { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.example' },
      }).end();
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      const { headers } = JSON.parse(Buffer.concat(await response.toArray()).toString()) as Seen;
      return [headers['x-forwarded-proto'], headers['x-forwarded-host']];
    };
    expect(await ask('127.0.0.8')).toEqual(['https', 'shop.example']);
    expect(await ask('127.0.0.9')).toEqual(['https', 'shop.example']);
    expect(await ask('127.0.0.7')).toEqual(['http', undefined]);
  });

  it('says of an error what the service says of it', () => {
    const text = readFileSync(CONFIGURATION, 'utf8');
    const bodies = [...text.matchAll(/ string "(.+?)" hdr/g)].map(([, body = '']) =>
      body.replaceAll('\\"', '"'),
    );
    expect(bodies).toContain(bodyOf(new OverloadedError()));
    const fileBody = (name: string) => readFileSync(join(ERRORS, name), 'utf8').split('\n\n')[1]?.trim();
    expect(fileBody('bad-request.http')).toBe(bodyOf(new BadRequestError()));
    expect(fileBody('request-timeout.http')).toBe(bodyOf(new RequestTimeoutError()));
  });

  it('refuses what is no HTTP in the error shape, from version 3.3 on', async () => {
    const { status, headers, body } = await send('noise\r\n\r\n');
    const type = haproxySendsFiles() ? 'application/json; charset=utf-8' : 'text/html';
    expect([status, headers.get('content-type')]).toEqual([400, [type]]);
    if (type !== 'text/html') expect(body).toBe(bodyOf(new BadRequestError()));
  });
});

describe('The balancer before a process with one place', () => {
  const node = new HeldProcess();
  let balancer: ListeningProgram;
  let port: number;
  const strangers: RawConnection[] = [];

  beforeAll(async () => {
    ({ balancer, port } = await startBalancer({ BALANCER_PLACES: '1', PETSTORE_1: await node.start() }));
  });
  afterEach(() => {
    for (const stranger of strangers.splice(0)) stranger.destroy();
  });
  afterAll(async () => {
    await balancer.kill();
    node.stop();
  });

  async function begin(text: string): Promise<RawConnection> {
    const stranger = await RawConnection.open(port);
    strangers.push(stranger);
    stranger.send(text);
    return stranger;
  }

  const ask = async (target: string, ...fields: readonly string[]) =>
    (await exchange(port, head(`GET ${target}`, ...fields)))[0]?.status;

  it.each([
    ['a creation without a key', creation('/v1/pets', JSON_TYPE, 'Content-Length: 10')],
    ['chunks without a key', creation('/v1/pets', JSON_TYPE, 'Transfer-Encoding: chunked')],
    ['a creation without a type', creation('/v1/pets', KEY, 'Content-Length: 10')],
    ['a body declared too large', creation('/v1/pets', KEY, JSON_TYPE, 'Content-Length: 102401')],
    ['a get that declares a body', head('GET /v1/pets', 'Content-Length: 10')],
    [
      'chunks that become too large',
      `${creation('/v1/pets', KEY, JSON_TYPE, 'Transfer-Encoding: chunked')}30D40\r\n${'x'.repeat(200_000)}`,
    ],
  ])('has its place for others after the process has responded to %s, which never ends', async (_, text) => {
    for (let sent = 0; sent < 3; sent++) {
      const stranger = await begin(text);
      expect((await stranger.nextResponse())?.status).toBe(200);
    }
    expect(await ask('/v1/pets', KEY)).toBe(200);
  });

  it.each(['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE'])(
    'has its place for others while the body of a %s comes',
    async (method) => {
      const target = `/v1/held-${method}`;
      for (let sent = 0; sent < 3; sent++)
        await begin(head(`${method} ${target}`, KEY, JSON_TYPE, 'Content-Length: 10'));
      expect(await ask('/v1/pets', KEY)).toBe(200);
      expect(node.targets).not.toContain(target);
    },
  );

  it('has places for health while the bodies of a hundred gets of pages come', async () => {
    for (let sent = 0; sent < 101; sent++) await begin(head('GET /docs', 'Content-Length: 10'));
    expect(await ask('/health/live')).toBe(200);
  });

  it('has a removal, which has no type, wait for the place of operations', async () => {
    const held = exchange(port, head('DELETE /v1/held', KEY));
    await until(() => node.waiting.length === 1);
    expect(await ask('/v1/pets', KEY)).toBe(503);
    node.letGo();
    expect((await held)[0]?.status).toBe(200);
  });
});

it('says that no process is ready when none is, and not that there are too many requests', async () => {
  const node = new HeldProcess();
  const { balancer, port } = await startBalancer({ PETSTORE_1: await node.start() });
  node.stop();
  let response: RawResponse | undefined;
  const code = () => (JSON.parse(response?.body ?? '{}') as ErrorBody).code;
  await until(async () => {
    [response] = await exchange(port, head('GET /v1/pets', KEY, 'X-Request-Id: a'));
    return code() === 'service_unavailable' && response?.status === 503;
  });
  const field = (name: string) => response?.headers.get(name)?.[0];
  expect(['retry-after', 'x-request-id', 'content-type', 'cache-control'].map(field)).toEqual([
    '1',
    'a',
    'application/json; charset=utf-8',
    'no-store',
  ]);
  await balancer.kill();
});

it('refuses a body that does not come in time with 408 and the X-Request-Id of the request', async () => {
  const node = new HeldProcess();
  const target = Number((await node.start()).split(':').at(-1));
  const place = { folder: makeFolder(), port: await freePort(HOST), scheme: 'http' } as const;
  const change = replacing(['wait-for-body time 20s', 'wait-for-body time 100ms']);
  const balancer = await launchHaproxy({ ...place, targets: [target, target], change });
  const asked = creation('/petstore/v1/pets', KEY, JSON_TYPE, 'Content-Length: 10', 'X-Request-Id: a');
  const [response] = await exchange(place.port, asked);
  expect([response?.status, response?.body]).toEqual([408, bodyOf(new RequestTimeoutError())]);
  const field = (name: string) => response?.headers.get(name)?.[0];
  expect(['x-request-id', 'content-type', 'cache-control'].map(field)).toEqual([
    'a',
    'application/json; charset=utf-8',
    'no-store',
  ]);
  expect(Date.parse(field('date') ?? '')).not.toBeNaN();
  await balancer.kill();
  node.stop();
});
