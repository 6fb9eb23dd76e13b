import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stopLimitMs } from '../../src/platform/http/connections/stop-limits';
import { isRunning } from '../../src/platform/jobs/is-running';
import { createToken } from '../../src/platform/security/api-key-token';
import { loadSettings } from '../../src/platform/config/load-settings';
import { codeBlocksOf } from '../modules/support/guide-blocks';
import { variablesOf } from '../nodes/support/deployed-files';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import { RedisServer } from '../support/databases/redis-server';
import { makeFolder } from '../support/folders';
import { freePort } from '../support/processes/free-port';
import { ListeningProgram } from '../support/processes/listening-program';
import { endServiceProcesses, runCli, ServiceProcess } from '../support/processes/service-process';
import { shellWords } from '../support/processes/shell-words';
import { until } from '../support/until';
import { PROJECT } from './support/dockerfile';

const HOST = '127.0.0.1';
const BALANCER = join(PROJECT, 'deploy', 'balancer', 'haproxy.cfg');
const UNIT = join(PROJECT, 'deploy', 'systemd', 'petstore@.service');
const unit = readFileSync(UNIT, 'utf8');
const page = readFileSync(join(PROJECT, 'docs/operations/more-than-one-process.md'), 'utf8');

/** The settings of all nodes, as the page has them. */
const shared = variablesOf(codeBlocksOf(page).find(({ language }) => language === 'ini')?.text ?? '');

/** The value of a line of the unit. */
function valueOf(name: string): string {
  return new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
}

describe('The unit of a node for systemd', () => {
  it('starts the program of npm start and gives it time to stop', () => {
    const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
      scripts: { start: string };
    };
    expect(valueOf('ExecStart')).toBe(`/usr/bin/env ${scripts.start}`);
    expect(unit).toMatch(
      new RegExp(`^Environment=PATH=${valueOf('WorkingDirectory')}/node_modules/[.]bin:.*:/usr/bin:`, 'm'),
    );
    expect(Number(valueOf('TimeoutStopSec')) * 1_000).toBeGreaterThan(stopLimitMs(loadSettings(shared)));
  });

  it('leaves a node little that it could do to its machine', () => {
    const judge = () =>
      execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', UNIT], {
        stdio: 'pipe',
      });
    expect(judge).not.toThrow();
  });

  it('serves on the port by which a command of the page names it, where the balancer looks', () => {
    const commands = codeBlocksOf(page).filter(({ note }) => note === 'systemd');
    const ports = new Set(commands.flatMap(({ text }) => text.match(/(?<=petstore@)\d+/g) ?? []));
    const environment = readFileSync(join(PROJECT, 'deploy', 'balancer', 'haproxy.env'), 'utf8');
    const balanced = [...environment.matchAll(/^PETSTORE_\d=127\.0\.0\.1:(\d+)$/gm)].map(([, port]) => port);
    expect(balanced).toEqual([...ports]);
    expect(unit).toContain(' PORT=%i MANAGEMENT_PORT=1%i');
  });
});

describe('The two nodes of the page, on PostgreSQL with limits in Redis', () => {
  const token = createToken();
  let balancer: ListeningProgram;
  let url: string;
  let nodes: [ServiceProcess, ServiceProcess];
  let database: TestDatabase;
  let redis: RedisServer;

  beforeAll(async () => {
    const cwd = makeFolder();
    database = await createTestDatabase('postgres');
    redis = await RedisServer.run();
    const places = { DATABASE_URL: database.url, REDIS_URL: redis.url };
    const environment = { ...shared, ...places, NODE_ENV: 'production', BOOTSTRAP_API_KEY: token };
    const [commands] = codeBlocksOf(page).filter(({ language, note }) => language === 'sh' && note === '');
    for (const words of shellWords('petstore', commands?.text ?? ''))
      await runCli(environment, cwd, ...words);
    nodes = [
      await ServiceProcess.start(environment, { cwd }),
      await ServiceProcess.start(environment, { cwd }),
    ];
    const port = await freePort(HOST);
    url = `http://${HOST}:${port}`;
    balancer = new ListeningProgram(port);
    await balancer.start('haproxy', ['-db', '-f', BALANCER], {
      env: {
        ...process.env,
        BALANCER_PORT: String(port),
        BALANCER_METRICS: `${HOST}:${await freePort(HOST)}`,
        PETSTORE_1: `${HOST}:${nodes[0].port}`,
        PETSTORE_2: `${HOST}:${nodes[1].port}`,
      },
    });
  });
  afterAll(async () => {
    await balancer.kill();
    await endServiceProcesses();
    await redis.kill();
    await database.drop();
  });

  /** The statuses of requests, each on a connection of its own. */
  async function list(count: number): Promise<number[]> {
    const headers = { authorization: `Bearer ${token}`, connection: 'close' };
    const asked = Array.from({ length: count }, () => fetch(`${url}/v1/pets`, { headers }));
    return (await Promise.all(asked)).map(({ status }) => status);
  }

  function servedBy({ stderr }: ServiceProcess): number {
    return stderr.split('"route":"/v1/pets"').length - 1;
  }

  it('gives requests to every node, and none to a node that stops', async () => {
    await until(async () => (await list(4)).every((status) => status === 200));
    await until(async () => {
      await list(4);
      return nodes.every((node) => servedBy(node) > 0);
    });
    const stopping = nodes[0].kill('SIGTERM');
    const statuses = new Set<number>();
    while (isRunning(nodes[0].pid)) for (const status of await list(4)) statuses.add(status);
    expect(await stopping).toEqual({ code: 0, signal: null });
    expect([...statuses]).toEqual([200]);
  });
});
