import { execFile } from 'node:child_process';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { freePort } from '../support/processes/free-port';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';
import { haveListened, workersOf } from '../support/service/workers';

const execute = promisify(execFile);

const CLIENTS = 16;
/** Far more than a response takes, on the busiest machine, and less than the limit of the test. */
const DEADLINE_MS = 30_000;

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase('sqlite');
});
afterEach(async () => {
  await endServiceProcesses();
  await database.drop();
});

/** Clients that open a connection for each request, until they are stopped. */
class Callers {
  /** How many requests ended how: `200`, or an error code. */
  readonly outcomes = new Map<string, number>();
  private readonly running: Promise<void>[];
  private isOver = false;

  constructor(private readonly url: string) {
    this.running = Array.from({ length: CLIENTS }, () => this.call());
  }

  /** How many requests were answered as they should be. */
  get served(): number {
    return this.outcomes.get('200') ?? 0;
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.running);
  }

  private async call(): Promise<void> {
    while (!this.isOver) {
      const outcome = await this.request();
      this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
      // For a moment no worker may listen.
      if (outcome === 'ECONNREFUSED') await pause(20);
    }
  }

  private request(): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    const asked = get(`${this.url}/health/live`, { agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(String(response.statusCode)));
      response.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    });
    asked.setTimeout(DEADLINE_MS, () => {
      resolve('no end');
      asked.destroy();
    });
    asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    return promise;
  }
}

it.each([
  ['one worker after the other is', 1],
  ['all workers at once are', 2],
])('No client waits forever when %s killed', async (_who, victims) => {
  const service = await ServiceProcess.start(
    {
      WORKERS: '2',
      DATABASE_URL: database.url,
      LOG_LEVEL: 'info',
      PORT: String(await freePort('127.0.0.1')),
    },
    { cwd: makeFolder() },
  );
  const callers = new Callers(service.url);
  for (let kill = 0; kill < 3; kill++) {
    const served = callers.served + 30;
    await until(() => callers.served >= served);
    const before = workersOf(service);
    for (const { pid } of before.slice(-victims)) process.kill(pid, 'SIGKILL');
    await haveListened(service, before.length + victims);
  }
  await callers.stop();
  const allowed = victims === 1 ? ['200', 'ECONNRESET'] : ['200', 'ECONNRESET', 'ECONNREFUSED'];
  expect([...callers.outcomes.keys()].filter((outcome) => !allowed.includes(outcome))).toEqual([]);
  expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

it('No client waits forever when the last workers are killed while a connection is handed over', async () => {
  const script = join(__dirname, 'support', 'stopped-worker.mjs');
  const { stdout } = await execute(process.execPath, [script]);
  expect(stdout).toBe('closed served\n');
});
