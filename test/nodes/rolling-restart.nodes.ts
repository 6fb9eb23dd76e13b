import { setTimeout as pause } from 'node:timers/promises';
import { createToken } from '../../src/platform/security/api-key-token';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { freePort } from '../support/processes/free-port';
import { endServiceProcesses, type ProcessEnd, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';
import { type Balancer, HaProxy, Nginx } from './support/balancer';
import { Load } from './support/load';
import { storedNames } from './support/stored-names';

const HOST = '127.0.0.1';
const CLEAN = { code: 0, signal: null };
const CLIENTS = 8;

/** How long the load runs before the first node is stopped and after the last has come back, in milliseconds. */
const STEADY_MS = 1_000;

const key = createToken();
const cwd = makeFolder();
let database: TestDatabase;
let balancer: Balancer | undefined;

beforeEach(async () => (database = await createTestDatabase('postgres')));
afterEach(async () => {
  await balancer?.stop();
  await endServiceProcesses();
  await database.drop();
});

interface Node {
  readonly port: number;
  process: ServiceProcess;
}

async function startNode(port: number, drainDelay: string): Promise<ServiceProcess> {
  return ServiceProcess.start(
    {
      PORT: String(port),
      DATABASE_URL: database.url,
      DATABASE_POOL_SIZE: '5',
      MIGRATE_ON_START: 'true',
      BOOTSTRAP_API_KEY: key,
      DRAIN_DELAY: drainDelay,
      NODE_ENV: 'production',
    },
    { cwd },
  );
}

/** Three nodes behind a load balancer, each stopped and started again in turn, while clients work. */
async function restartInTurn(
  startBalancer: (nodePorts: number[]) => Promise<Balancer>,
  drainDelay: string,
): Promise<{ load: Load; ends: ProcessEnd[] }> {
  const ports = [await freePort(HOST), await freePort(HOST), await freePort(HOST)];
  const nodes: Node[] = [];
  for (const port of ports) nodes.push({ port, process: await startNode(port, drainDelay) });
  const front = await startBalancer(ports);
  balancer = front;
  for (const port of ports) await until(() => front.hasNode(port));

  const load = new Load(front.port, key);
  const began = performance.now();
  load.start(CLIENTS);
  await pause(STEADY_MS);
  const ends: ProcessEnd[] = [];
  for (const node of nodes) {
    ends.push(await node.process.kill('SIGTERM'));
    node.process = await startNode(node.port, drainDelay);
    await until(() => front.hasNode(node.port));
  }
  await pause(STEADY_MS);
  await load.stop();
  const seconds = (performance.now() - began) / 1_000;
  process.stdout.write(
    `Three nodes behind ${front.constructor.name} restarted in turn within ${seconds.toFixed(1)} s, DRAIN_DELAY=${drainDelay}: ${load.summary()}.\n`,
  );
  return { load, ends };
}

async function startHaProxy(nodePorts: number[]): Promise<Balancer> {
  return HaProxy.start(await freePort(HOST), await freePort(HOST), nodePorts);
}

async function startNginx(nodePorts: number[]): Promise<Balancer> {
  return Nginx.start(await freePort(HOST), nodePorts);
}

describe('Three nodes that are restarted in turn under load behind a load balancer', () => {
  it.each([
    ['HAProxy', startHaProxy],
    ['nginx', startNginx],
  ])('respond to every request, keep every pet once, and exit with 0: %s', async (_name, startBalancer) => {
    const { load, ends } = await restartInTurn(startBalancer, '5s');
    expect(load.failures).toEqual(new Map());
    expect(ends).toEqual([CLEAN, CLEAN, CLEAN]);
    expect(load.requests).toBeGreaterThan(300);
    expect(await storedNames(database.url)).toEqual(new Map([...load.acknowledged].map((name) => [name, 1])));
  });

  it('fail requests without a DRAIN_DELAY, which proves that the clients notice', async () => {
    const { load, ends } = await restartInTurn(startHaProxy, '0s');
    expect(load.failed).toBeGreaterThan(0);
    // Refused by the balancer or by the node: nothing that was acknowledged is lost.
    expect(ends).toEqual([CLEAN, CLEAN, CLEAN]);
    const stored = await storedNames(database.url);
    expect([...load.acknowledged].filter((name) => stored.get(name) !== 1)).toEqual([]);
  });
});
