import { globSync, readFileSync } from 'node:fs';
import { loadSettings } from '../../src/platform/config/load-settings';
import { type RawResponse, RawConnection } from '../support/http/raw-http';
import { startTestService, type TestService } from '../support/service/service';
import { field } from './support/request';

const HOST = 'Host: petstore.test\r\n';
const PET = '{"name":"Rex","categoryId":1}';

/** Default of the ingress controller of Kubernetes for nginx (`upstream-keepalive-timeout`), in seconds. */
const INGRESS_NGINX_SECONDS = 60;

const EITHER_PORT = ['port', 'managementPort'] as const;

/** A connection that has had a response and is kept. */
async function kept(port: number): Promise<{ connection: RawConnection; response: RawResponse }> {
  const connection = await RawConnection.open(port);
  return { connection, response: await askOn(connection) };
}

async function askOn(connection: RawConnection): Promise<RawResponse> {
  connection.send(`GET /health/live HTTP/1.1\r\n${HOST}\r\n`);
  return (await connection.nextResponse()) as RawResponse;
}

/** Times for which files of `deploy` let proxies keep connections to the service without a request, in seconds. */
function timesOfBalancers(): number[] {
  return globSync('deploy/**/*.{yaml,cfg,conf}').flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const written = text.matchAll(
      /(?:keepalive[-_]timeout|timeout http-keep-alive|pool-purge-delay)[\s:"]+(\d+)/g,
    );
    const ingress = /ingressClassName: nginx/.test(text) ? [INGRESS_NGINX_SECONDS] : [];
    return [...ingress, ...Array.from(written, ([, seconds]) => Number(seconds))];
  });
}

describe('A connection without a request', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite', { REQUEST_TIMEOUT_MS: '600' });
  });
  afterAll(() => service.stop());

  it.each(EITHER_PORT)('is kept for 75 seconds on the %s, and its client is told so', async (port) => {
    const { response } = await kept(service[port]);
    expect(field(response, 'keep-alive')).toBe('timeout=75');
  });

  it.each(EITHER_PORT)('outlives the time in which headers have to arrive, on the %s', async (port) => {
    const { connection } = await kept(service[port]);
    const slow = await RawConnection.open(service[port]);
    slow.send('GET /health/live HTTP/1.1\r\n');
    expect(await slow.nextResponse()).toMatchObject({ status: 408 });
    expect(await askOn(connection)).toMatchObject({ status: 200 });
  });

  it('ends when the service stops, while a request of another one goes on', async () => {
    const stopping = await startTestService('sqlite');
    const idle = await kept(stopping.port);
    const { connection: busy } = await kept(stopping.port);
    busy.send(
      `POST /v1/pets HTTP/1.1\r\n${HOST}Authorization: Bearer ${stopping.key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${PET.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    expect(await busy.nextResponse()).toMatchObject({ status: 100 });
    const stopped = stopping.stop();
    expect(await idle.connection.nextResponse()).toBeUndefined();
    idle.connection.destroy();
    busy.send(PET);
    expect(await busy.nextResponse()).toMatchObject({ status: 201 });
    expect(await busy.nextResponse()).toBeUndefined();
    busy.destroy();
    await stopped;
  });

  it('outlives those of every balancer in deploy/', () => {
    const times = timesOfBalancers();
    expect(times.length).toBeGreaterThan(0);
    expect(Math.max(...times)).toBeLessThan(loadSettings({}).keepAliveTimeout / 1_000);
  });
});

describe('A connection without a request, with KEEP_ALIVE_TIMEOUT', () => {
  it.each(EITHER_PORT)('ends after that time on the %s', async (port) => {
    const service = await startTestService('sqlite', { KEEP_ALIVE_TIMEOUT: '1s' });
    const { connection, response } = await kept(service[port]);
    expect(field(response, 'keep-alive')).toBe('timeout=1');
    expect(await connection.nextResponse()).toBeUndefined();
    connection.destroy();
    await service.stop();
  });
});
