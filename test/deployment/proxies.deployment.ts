import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request as requestHttp } from 'node:http';
import { connect, type IncomingHttpHeaders } from 'node:http2';
import { request as requestHttps } from 'node:https';
import { parse } from 'yaml';
import { isRunning } from '../../src/platform/jobs/is-running';
import { createToken } from '../../src/platform/security/api-key-token';
import { makeFolder } from '../support/folders';
import { freePort } from '../support/processes/free-port';
import type { ListeningProgram } from '../support/processes/listening-program';
import { endServiceProcesses, runCli, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';
import { block, launchCaddy, launchHaproxy, launchNginx, type Place } from './support/proxies';
import { type Resource, resourceFaults } from './support/schemas';
import { PROJECT } from './support/dockerfile';

const HOST = '127.0.0.1';

/** A proxy as the page configures it. */
interface Proxy {
  readonly name: string;
  readonly scheme: 'http' | 'https';
  readonly drainDelay: string;
  readonly launch: (place: Place) => Promise<ListeningProgram>;
}

const PROXIES: readonly Proxy[] = [
  { name: 'HAProxy', scheme: 'https', drainDelay: '2s', launch: launchHaproxy },
  { name: 'nginx', scheme: 'https', drainDelay: '0s', launch: launchNginx },
  { name: 'Caddy', scheme: 'http', drainDelay: '10s', launch: launchCaddy },
];

describe.each(PROXIES)(
  'Behind $name, with TLS and a prefix as the page says, the service',
  ({ scheme, drainDelay, launch }) => {
    let key: string;
    let base: string;
    let proxy: ListeningProgram;
    let nodes: [ServiceProcess, ServiceProcess];

    beforeAll(async () => {
      const folder = makeFolder();
      const port = await freePort(HOST);
      base = `${scheme}://${HOST}:${port}/petstore/v1`;
      const environment = {
        TRUST_PROXY: 'loopback',
        PUBLIC_BASE_URL: base,
        DRAIN_DELAY: drainDelay,
        RATE_LIMIT_PER_MINUTE: '20',
      };
      nodes = [
        await ServiceProcess.start(environment, { cwd: folder }),
        await ServiceProcess.start(environment, { cwd: folder }),
      ];
      const words = ['--name', 'client', '--scopes', 'pets:read,pets:write', '--limit', '1000000', '--json'];
      ({ key } = JSON.parse(await runCli({}, folder, 'keys', 'create', ...words)) as { key: string });
      proxy = await launch({ folder, port, scheme, targets: [nodes[0].port, nodes[1].port] });
      await until(async () => (await ask('GET', `${base}/pets`)).status === 200);
    });
    afterAll(async () => {
      await proxy.kill();
      await endServiceProcesses();
    });

    interface Answer {
      readonly status: number | undefined;
      readonly headers: IncomingMessage['headers'];
      readonly text: string;
    }

    interface Sent {
      readonly headers?: OutgoingHttpHeaders;
      /** Parts of the body, each of which leaves when the one before has left. */
      readonly parts?: readonly string[];
      readonly localAddress?: string;
    }

    async function ask(
      method: string,
      url: string,
      { headers = {}, parts = [], localAddress }: Sent = {},
    ): Promise<Answer> {
      const send = scheme === 'https' ? requestHttps : requestHttp;
      const sent = send(url, {
        method,
        headers: { authorization: `Bearer ${key}`, ...headers },
        rejectUnauthorized: false,
        ...(localAddress && { localAddress }),
      });
      const responded = once(sent, 'response') as Promise<[IncomingMessage]>;
      if (headers['expect']) {
        sent.flushHeaders();
        await once(sent, 'continue');
      }
      for (const part of parts) await new Promise((resolve) => sent.write(part, resolve));
      sent.end();
      const [response] = await responded;
      const text = Buffer.concat(await response.toArray()).toString();
      return { status: response.statusCode, headers: response.headers, text };
    }

    const create = (parts: readonly string[], headers: OutgoingHttpHeaders = {}) =>
      ask('POST', `${base}/pets`, { parts, headers: { 'content-type': 'application/json', ...headers } });

    it('names addresses that lead back through the proxy', async () => {
      const created = await create(['{"name":"Rex","categoryId":1}']);
      await create(['{"name":"Luna","categoryId":1}']);
      expect(created.status).toBe(201);
      expect((await ask('GET', new URL(created.headers.location ?? '', base).href)).status).toBe(200);
      const list = await ask('GET', `${base}/pets?limit=1`);
      const [, next = ''] = /<([^>]+)>; rel="next"/.exec(String(list.headers.link)) ?? [];
      expect(next).toMatch(new RegExp(`^${base}/pets\\?`));
      expect((await ask('GET', next)).status).toBe(200);
      const docs = await ask('GET', `${base}/../docs`);
      const paths = [...docs.text.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, path]) => path);
      expect(docs.status).toBe(200);
      expect(paths.filter((path) => !path?.startsWith('/petstore/'))).toEqual([]);
    });

    if (scheme === 'https') {
      it('serves requests over HTTP/2, many at once on a connection', async () => {
        const session = connect(new URL(base).origin, { rejectUnauthorized: false });
        const list = async (limit: number) => {
          const headers = { ':path': `/petstore/v1/pets?limit=${limit}`, authorization: `Bearer ${key}` };
          const stream = session.request(headers);
          const [{ ':status': status }] = (await once(stream, 'response')) as [IncomingHttpHeaders];
          return [status, JSON.parse(Buffer.concat(await stream.toArray()).toString())] as const;
        };
        const lists = await Promise.all([1, 2, 3, 4].map(list));
        session.close();
        expect(lists).toEqual(lists.map(() => [200, expect.any(Array)]));
      });
    }

    it('takes a body that comes in parts, one that waits for 100 Continue, and long headers', async () => {
      const parts = ['{"name":"R', 'ex","cat', 'egoryId":1}'];
      expect((await create(parts)).status).toBe(201);
      expect((await create(parts, { expect: '100-continue' })).status).toBe(201);
      expect((await create(parts, { 'x-long': 'x'.repeat(7_000) })).status).toBe(201);
    });

    it('refuses a large body itself, in its error shape', async () => {
      const refused = await create([`{"name":"${'x'.repeat(110_000)}","categoryId":1}`]);
      expect(refused.status).toBe(413);
      expect(JSON.parse(refused.text)).toMatchObject({ code: 'payload_too_large', status: 413 });
    });

    it('makes one pet of a creation that is sent twice at once', async () => {
      const headers = { 'idempotency-key': 'once' };
      const both = await Promise.all([1, 2].map(() => create(['{"name":"Only","categoryId":1}'], headers)));
      expect(both.map(({ status }) => status)).toContain(201);
      expect(both.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
      const list = await ask('GET', `${base}/pets?limit=100`);
      expect(list.text.split('"Only"')).toHaveLength(2);
    });

    it('counts refused keys by client, not by proxy', async () => {
      const wrong = (localAddress: string) =>
        ask('GET', `${base}/pets`, { localAddress, headers: { authorization: `Bearer ${createToken()}` } });
      await until(async () => (await wrong('127.0.0.2')).status === 429);
      // Two addresses share a budget now and then.
      const others = await Promise.all([3, 4, 5].map((host) => wrong(`127.0.0.${host}`)));
      expect(others.map(({ status }) => status)).toContain(401);
    });

    it('loses no request when a process stops', async () => {
      const stopping = nodes[0].kill('SIGTERM');
      const statuses = new Set<number | undefined>();
      while (isRunning(nodes[0].pid)) statuses.add((await ask('GET', `${base}/pets?limit=1`)).status);
      expect(await stopping).toEqual({ code: 0, signal: null });
      expect([...statuses]).toEqual([200]);
    });
  },
);

describe('The page about proxies', () => {
  it('starts the balancer by its command', () => {
    const check = `${block('sh', 'balancer').trim()} -c`;
    expect(() => execFileSync('bash', ['-c', check], { cwd: PROJECT, stdio: 'pipe' })).not.toThrow();
  });

  it('has a dynamic configuration of Traefik whose parts know each other', () => {
    const { http } = parse(block('yaml', 'traefik')) as {
      http: {
        routers: Record<string, { middlewares: string[]; service: string }>;
        middlewares: Record<string, object>;
        services: Record<string, { loadBalancer: { serversTransport: string } }>;
        serversTransports: Record<string, object>;
      };
    };
    for (const { middlewares, service } of Object.values(http.routers)) {
      expect(Object.keys(http.middlewares)).toEqual(middlewares);
      expect(Object.keys(http.serversTransports)).toEqual([
        http.services[service]?.loadBalancer.serversTransport,
      ]);
    }
  });

  it('has an Ingress as Kubernetes takes it', async () => {
    expect(await resourceFaults(parse(block('yaml', 'ingress')) as Resource)).toEqual([]);
  });
});
