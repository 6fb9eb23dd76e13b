import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { ListeningProgram } from '../support/processes/listening-program';
import { endServiceProcesses } from '../support/processes/service-process';
import {
  HAPROXY_REPEATS_CREATIONS,
  launchCaddy,
  launchHaproxy,
  launchNginx,
  type Place,
} from './support/proxies';
import { replacing, Site } from './support/site';

const CREATIONS = 600;
/** Clients at a time, each with a connection of its own. */
const CLIENTS = 30;
/** For how long the proxies here keep a connection to the service without a request, in milliseconds. */
const IDLE_MS = 1_000;

/** A proxy with a change of its configuration. */
interface Variant {
  readonly name: string;
  readonly launch: (place: Place) => Promise<ListeningProgram>;
  readonly change: (configuration: string) => string;
  /** For how long the service keeps a connection without a request. HAProxy closes half of its own in each interval. */
  readonly keepAlive: '2s' | '15s';
}

/** Lines of nginx that send a body on as it comes, and a response. */
const UNBUFFERED = 'proxy_request_buffering off;\n    proxy_buffering off;\n    proxy_pass';
const NGINX_IDLE = ['keepalive_timeout 60s', 'keepalive_timeout 1s'] as const;

const HAPROXY_IDLE = ['defaults\n', 'defaults\n  default-server pool-purge-delay 1s\n'] as const;

const VARIANTS: readonly Variant[] = [
  { name: 'nginx', launch: launchNginx, change: replacing(NGINX_IDLE), keepAlive: '2s' },
  {
    name: 'nginx without buffers',
    launch: launchNginx,
    change: replacing(NGINX_IDLE, ['proxy_pass', UNBUFFERED]),
    keepAlive: '2s',
  },
  { name: 'HAProxy', launch: launchHaproxy, change: replacing(HAPROXY_IDLE), keepAlive: '15s' },
  {
    name: 'HAProxy without buffers',
    launch: launchHaproxy,
    change: replacing(HAPROXY_IDLE, ['  http-request wait-for-body time 20s unless is-refused\n', '']),
    keepAlive: '15s',
  },
  {
    name: 'Caddy',
    launch: launchCaddy,
    change: replacing(['keepalive 60s', 'keepalive 1s']),
    keepAlive: '2s',
  },
];

describe.each(VARIANTS)('Behind $name, on links of 1 to 10 milliseconds, the service', (variant) => {
  const { launch, change, keepAlive } = variant;
  let site: Site;

  beforeAll(async () => {
    site = await Site.open(launch, change, { KEEP_ALIVE_TIMEOUT: keepAlive });
  });
  afterAll(async () => {
    // Those of a site that did not open, too.
    await endServiceProcesses();
    await site.close();
  });

  it('adds each pet once on connections that were idle for about as long as the proxy keeps them', async () => {
    const statuses = new Set<number>();
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        const agent = new Agent({ keepAlive: true });
        for (let index = client; index < CREATIONS; index += CLIENTS) {
          statuses.add(await site.add(`idle ${index}`, { agent }));
          await pause(randomInt(0.9 * IDLE_MS, 1.1 * IDLE_MS));
        }
        agent.destroy();
      }),
    );
    expect([...statuses]).toEqual([201]);
    const names = await site.names();
    expect([names.length, new Set(names).size]).toEqual([CREATIONS, CREATIONS]);
  });

  it('serves others while clients send or read slowly, and these completely', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(60_000), categoryId: 1 });
    for (let index = 0; index < 100; index++) await site.add('y'.repeat(60_000), { status: 'pending' });
    const sent = site.begin({ 'content-length': String(body.length) });
    const responded = once(sent, 'response') as Promise<[IncomingMessage]>;
    for (let at = 0; at < 30_000; at += 1_000) {
      await new Promise((resolve) => sent.write(body.slice(at, at + 1_000), resolve));
    }
    const reading = await site.ask('limit=100&status=pending');
    reading.pause();
    const others = await Promise.all(Array.from({ length: 20 }, (_, index) => site.add(`other ${index}`)));
    expect(others).toEqual(others.map(() => 201));
    sent.end(body.slice(30_000));
    const [response] = await responded;
    await response.toArray();
    expect(response.statusCode).toBe(201);
    const pets = JSON.parse(Buffer.concat(await reading.toArray()).toString()) as { name: string }[];
    expect(pets.map(({ name }) => name.length)).toEqual(pets.map(() => 60_000));
    expect(pets).toHaveLength(100);
  });
});

const RETRYING = [
  {
    name: 'nginx',
    launch: launchNginx,
    change: replacing(
      ['error timeout http_503', 'error timeout http_503 non_idempotent'],
      // It would leave the process alone for ten seconds.
      ['127.0.0.1:3000', '127.0.0.1:3000 max_fails=0'],
    ),
  },
  {
    name: 'HAProxy',
    launch: launchHaproxy,
    change: replacing(HAPROXY_REPEATS_CREATIONS),
  },
];

describe.each(RETRYING)('Behind $name that repeats a POST whose response it lost', ({ launch, change }) => {
  let site: Site;

  beforeAll(async () => {
    site = await Site.open(launch, change);
    site.links[0].losesCreations = true;
  });
  afterAll(async () => {
    // Those of a site that did not open, too.
    await endServiceProcesses();
    await site.close();
  });

  async function createMany(part: string, headersOf: (index: number) => Record<string, string>) {
    const before = site.links[0].lost;
    const names = Array.from({ length: 30 }, (_, index) => `${part} ${index}`);
    for (const [index, name] of names.entries())
      expect([name, await site.create(name, { headers: headersOf(index) })]).toEqual([name, 201]);
    const found = (await site.names()).filter((name) => name.startsWith(part));
    return { names, found, lost: site.links[0].lost - before };
  }

  it('a creation with an Idempotency-Key is made once', async () => {
    const { names, found, lost } = await createMany('once', (index) => ({
      'idempotency-key': `key-${index}`,
    }));
    expect(lost).toBeGreaterThan(0);
    expect(found).toEqual(names);
  });

  it('a creation without a key is made once more for each lost response, as the page says', async () => {
    const { names, found, lost } = await createMany('again', () => ({}));
    expect(lost).toBeGreaterThan(0);
    expect(found).toHaveLength(names.length + lost);
    expect(new Set(found).size).toBe(names.length);
  });
});
