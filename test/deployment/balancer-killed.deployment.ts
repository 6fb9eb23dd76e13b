import { createToken } from '../../src/platform/security/api-key-token';
import { Load } from '../nodes/support/load';
import { storedNames } from '../nodes/support/stored-names';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { freePort } from '../support/processes/free-port';
import type { ListeningProgram } from '../support/processes/listening-program';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';
import { HOST, startBalancer } from './support/balanced';

const CLIENTS = 8;
const KILLS = 6;
/** Requests from one kill to the next: each process has some of them under way all the time. */
const BETWEEN = 200;

/** What a client sees whose creation a process may have carried out, and which is not sent again: it has no Idempotency-Key. */
const TOLD = ['POST without a key responded with 502', 'POST without a key without a response: ECONNRESET'];

const key = createToken();
const cwd = makeFolder();

describe('The balancer before two processes, which are killed under load in turn', () => {
  let database: TestDatabase;
  let balancer: ListeningProgram;
  let port: number;
  let metrics: string;
  let nodes: [ServiceProcess, ServiceProcess];

  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    nodes = [await start(await freePort(HOST)), await start(await freePort(HOST))];
    metrics = `${HOST}:${await freePort(HOST)}`;
    ({ balancer, port } = await startBalancer({
      BALANCER_METRICS: metrics,
      PETSTORE_1: `${HOST}:${nodes[0].port}`,
      PETSTORE_2: `${HOST}:${nodes[1].port}`,
    }));
  });
  afterAll(async () => {
    await balancer.kill();
    await endServiceProcesses();
    await database.drop();
  });

  function start(ownPort: number): Promise<ServiceProcess> {
    const settings = {
      PORT: String(ownPort),
      DATABASE_URL: database.url,
      MIGRATE_ON_START: 'true',
      BOOTSTRAP_API_KEY: key,
      TRUST_PROXY: 'loopback',
    };
    return ServiceProcess.start(settings, { cwd });
  }

  /** How often the balancer has sent a request again. */
  async function repeated(): Promise<number> {
    const text = await (await fetch(`http://${metrics}/metrics`)).text();
    const line = /^haproxy_backend_retry_warnings_total{proxy="operations"} (\d+)$/m.exec(text);
    return Number(line?.[1]);
  }

  it('loses no get and no creation with an Idempotency-Key, and carries out none twice', async () => {
    const load = new Load(port, key, { thinkingMs: 0, withoutKey: CLIENTS / 2 });
    load.start(CLIENTS);
    for (let kill = 0; kill < KILLS; kill++) {
      const [next, which] = [load.requests + BETWEEN, kill % 2];
      await until(() => load.requests >= next);
      const { port: ownPort } = nodes[which] as ServiceProcess;
      await nodes[which]?.kill('SIGKILL');
      const started = await start(ownPort);
      nodes[which] = started;
      await until(() => started.stderr.includes('"/v1/pets"'));
    }
    await load.stop();
    process.stdout.write(`Killed ${KILLS} times: ${load.summary()}; ${await repeated()} sent again.\n`);
    const stored = await storedNames(database.url);
    expect([...load.failures.keys()].filter((each) => !TOLD.includes(each))).toEqual([]);
    expect(await repeated()).toBeGreaterThan(0);
    expect([...load.acknowledged].filter((name) => stored.get(name) !== 1)).toEqual([]);
    expect([...stored].filter(([, count]) => count !== 1)).toEqual([]);
  });
});
