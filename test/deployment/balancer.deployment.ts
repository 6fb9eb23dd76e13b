import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { makeFolder } from '../support/folders';
import { expectError } from '../support/http/error-responses';
import { exchange, RawConnection, type RawResponse } from '../support/http/raw-http';
import { freePort } from '../support/processes/free-port';
import { ListeningProgram } from '../support/processes/listening-program';
import { until } from '../support/until';
import { makeCertificate } from './support/certificate';
import { CONFIGURATION, HeldProcess, HOST, type Seen, startBalancer } from './support/balanced';
import { PROJECT } from './support/dockerfile';

const text = readFileSync(CONFIGURATION, 'utf8');

describe('The balancer', () => {
  const node = new HeldProcess();
  let balancer: ListeningProgram;
  let port: number;
  let tlsPort: number;
  let metrics: string;

  beforeAll(async () => {
    tlsPort = await freePort(HOST);
    metrics = `${HOST}:${await freePort(HOST)}`;
    ({ balancer, port } = await startBalancer({
      BALANCER_TLS_PORT: String(tlsPort),
      BALANCER_CERTIFICATE: makeCertificate(makeFolder()).both,
      BALANCER_PREFIX: '/petstore',
      BALANCER_METRICS: metrics,
      PETSTORE_1: await node.start(),
    }));
  });
  afterEach(() => {
    node.letGo();
    node.isKilled = false;
  });
  afterAll(async () => {
    await balancer.kill();
    node.stop();
  });

  async function ask(target: string, fields = ''): Promise<RawResponse> {
    const [response] = await exchange(port, `GET ${target} HTTP/1.1\r\nHost: shop.example\r\n${fields}\r\n`);
    return response as RawResponse;
  }

  const seen = async (target: string, fields?: string) =>
    JSON.parse((await ask(target, fields)).body) as Seen;

  /** Fills a process. @returns the responses to come */
  async function fill(): Promise<Promise<RawResponse>[]> {
    const [, places = ''] = /BALANCER_PLACES-(\d+)/.exec(text) ?? [];
    const responses = Array.from({ length: Number(places) }, (_, i) => ask(`/v1/held/${i}`));
    await until(() => node.waiting.length === responses.length);
    return responses;
  }

  it('is healthy for compose once a process is ready, not before', async () => {
    const { services } = parse(readFileSync(join(PROJECT, 'compose.yaml'), 'utf8'), { merge: true }) as {
      services: { balancer: { healthcheck: { test: string[] } } };
    };
    const [, ...command] = services.balancer.healthcheck.test;
    const check = (of: number) => {
      const [program = '', ...args] = command.map((word) => word.replace('3000', String(of)));
      return promisify(execFile)(program, args);
    };
    await check(port);
    const idlePort = await freePort(HOST);
    const idle = new ListeningProgram(idlePort);
    const env = {
      ...process.env,
      BALANCER_PORT: String(idlePort),
      BALANCER_METRICS: `${HOST}:${await freePort(HOST)}`,
    };
    await idle.start('haproxy', ['-db', '-f', CONFIGURATION], {
      env: { ...env, PETSTORE_1: `${HOST}:${await freePort(HOST)}` },
    });
    await expect(check(idlePort)).rejects.toMatchObject({ code: 1 });
    await idle.kill();
    await expect(check(idlePort)).rejects.toMatchObject({ code: 1 });
  });

  it('refuses as the service does what finds no place, and lets health and pages through', async () => {
    const held = await fill();
    const refused = await ask('/v1/pets');
    expectError(refused, 503, 'overloaded');
    expect(refused.headers.get('retry-after')).toEqual(['1']);
    expect((await ask('/health/live')).status).toBe(200);
    expect((await ask('/docs')).status).toBe(200);
    node.letGo();
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual(held.map(() => 200));
    expect((await ask('/v1/pets')).status).toBe(200);
  });

  it('keeps its connections to a process however many clients have one to it', async () => {
    const fewPort = await freePort(HOST);
    const few = new ListeningProgram(fewPort);
    // So few connections of clients, -n, that these have most of the open files.
    await few.start('haproxy', ['-db', '-n', '110', '-f', CONFIGURATION], {
      env: {
        ...process.env,
        BALANCER_PORT: String(fewPort),
        BALANCER_METRICS: `${HOST}:${await freePort(HOST)}`,
        PETSTORE_1: node.address,
      },
    });
    const clients = await Promise.all(Array.from({ length: 100 }, () => RawConnection.open(fewPort)));
    const askAll = async () => {
      for (const client of clients.slice(0, 10)) {
        client.send('GET /v1/pets HTTP/1.1\r\nHost: shop.example\r\n\r\n');
        expect((await client.nextResponse())?.status).toBe(200);
      }
    };
    await until(async () => (await fetch(`http://${HOST}:${fewPort}/health/ready`)).status === 200);
    // The first request of a client may have a connection of its own.
    await askAll();
    const before = node.operationConnections.size;
    await askAll();
    expect(node.operationConnections.size).toBe(before);
    for (const client of clients) client.destroy();
    await few.kill();
  });

  it('counts what it refuses apart from what the service refuses', async () => {
    const refusals = async () => {
      const page = await (await fetch(`http://${metrics}/metrics`)).text();
      const value = (name: string) =>
        Number(
          new RegExp(`^${name}_http_responses_total\\{proxy="operations",.*code="5xx"\\} (\\d+)$`, 'm').exec(
            page,
          )?.[1],
        );
      return value('haproxy_backend') - value('haproxy_server');
    };
    const before = await refusals();
    const held = await fill();
    await ask('/v1/pets');
    node.letGo();
    await Promise.all(held);
    expect((await refusals()) - before).toBe(1);
  });

  it('has the error shape for a request whose process ends the connection', async () => {
    node.isKilled = true;
    expectError(await ask('/v1/pets'), 502, 'service_unavailable');
  });

  it('removes the prefix, and the host and address that a client claims', async () => {
    const { url, headers } = await seen('/petstore/v1/pets?limit=1', 'X-Forwarded-Host: evil.example\r\n');
    expect(url).toBe('/v1/pets?limit=1');
    expect(headers).toMatchObject({ host: 'shop.example', 'x-forwarded-for': HOST });
    expect(headers).not.toHaveProperty('x-forwarded-host');
    expect((await seen('/v1/pets')).url).toBe('/v1/pets');
  });

  it('tells the service that a request came without TLS, whatever its client claims', async () => {
    const { headers } = await seen('/v1/pets', 'X-Forwarded-Proto: https\r\n');
    expect(headers).toHaveProperty('x-forwarded-proto', 'http');
  });

  it('tells the service of TLS before it', async () => {
    const asked = request({ host: HOST, port: tlsPort, path: '/v1/pets', rejectUnauthorized: false }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    const body = Buffer.concat(await response.toArray()).toString();
    expect((JSON.parse(body) as Seen).headers).toHaveProperty('x-forwarded-proto', 'https');
  });

  it('keeps connections no longer than the service does', async () => {
    const [, seconds = ''] = /timeout http-keep-alive (\d+)s/.exec(text) ?? [];
    expect(Number(seconds)).toBeLessThan(75);
    expect((await ask('/v1/pets')).headers.has('keep-alive')).toBe(false);
  });

  it('is valid for containers', () => {
    const env = { ...process.env, PETSTORE_SERVERS: 'petstore:3000', PETSTORE_CONSOLE: 'petstore:3001' };
    const check = () => execFileSync('haproxy', ['-c', '-f', CONFIGURATION], { env, stdio: 'pipe' });
    expect(check).not.toThrow();
  });
});
