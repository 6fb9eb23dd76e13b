import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestDatabase } from '../support/databases/databases';
import { createMigratedDatabase } from '../support/databases/migrated-database';
import { makeFolder } from '../support/folders';
import { freePort } from '../support/processes/free-port';
import { Pipe } from '../support/processes/pipe';
import { parseMetrics } from '../support/processes/prometheus';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';
import { sendMany } from './support/many-requests';
import { closeTerminals, ServiceOnTerminal } from './support/on-terminal';

const cwd = makeFolder();
const CLEAN = { code: 0, signal: null };
const FAILED = { code: 1, signal: null };
/** More than those whose lines are kept for the reader. */
const MANY = 5_500;
/** Makes the process warn at one signal, and fail at another. */
const FAULTS =
  'process.on("SIGUSR2", () => process.emitWarning("A rare fault."));' +
  'process.on("SIGHUP", () => { throw new Error("The last fault."); });';
const DROPPED = 'Lines of the log were dropped, because its reader did not keep up.';

let database: TestDatabase;
let service: ServiceProcess;

beforeEach(async () => {
  database = await createMigratedDatabase('sqlite');
});
afterEach(async () => {
  await endServiceProcesses();
  await closeTerminals();
  await database.drop();
});

function spawnService(environment: Record<string, string>, stderr: Pipe | undefined): ServiceProcess {
  return new ServiceProcess(
    { DATABASE_URL: database.url, NODE_ENV: 'production', ...environment },
    { cwd, nodeOptions: [`--import=data:text/javascript,${FAULTS}`], ...(stderr && { stderr }) },
  );
}

async function start(stderr?: Pipe): Promise<void> {
  service = spawnService({}, stderr);
  await service.listening();
}

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url, { headers: { connection: 'close' } });
  await response.text();
  return response.status;
}

async function droppedLines(): Promise<number> {
  const response = await fetch(`${service.managementUrl}/metrics`, { headers: { connection: 'close' } });
  const family = parseMetrics(await response.text()).get('petstore_log_lines_dropped_total');
  return family?.samples[0]?.value ?? NaN;
}

/** All lines so far, each of which must be whole. */
function lines(): Record<string, unknown>[] {
  const texts = service.stderr.trimEnd().split('\n');
  return texts.map((text) => JSON.parse(text) as Record<string, unknown>);
}

function requestIds(): unknown[] {
  return lines().flatMap(({ msg, requestId }) => (msg === 'request' ? [requestId] : []));
}

describe.each([
  ['a pipe', () => new Pipe()],
  ['a socket', () => undefined],
])('A service whose log goes to %s that is no longer read', (_kind, makePipe) => {
  it('serves, drops and counts lines of requests, keeps faults, and reports that when it is read again', async () => {
    await start(makePipe());
    service.stopReading();
    const sent = await sendMany(service.port, MANY);
    expect(await statusOf(`${service.url}/health/live`)).toBe(200);
    expect(await droppedLines()).toBeGreaterThan(0);
    service.signal('SIGUSR2');

    service.readAgain();
    await until(() => service.stderr.includes(DROPPED));
    const dropped = await droppedLines();
    const faults = lines().filter(({ level }) => Number(level) >= 40);
    expect(faults.map(({ msg, lines: count, requestId }) => [msg, count, requestId])).toEqual([
      ['A rare fault.', undefined, undefined],
      [DROPPED, dropped, undefined],
    ]);
    const written = new Set(requestIds());
    expect(requestIds()).toEqual(sent.filter((id) => written.has(id)));
    expect(written.size).toBe(MANY - dropped);

    const [next] = await sendMany(service.port, 1, 'next');
    await until(() => service.stderr.includes(String(next)));
    expect(await droppedLines()).toBe(dropped);
    expect(await service.kill('SIGTERM')).toEqual(CLEAN);
  });

  it('exits with 0 when it is told to stop', async () => {
    await start(makePipe());
    service.stopReading();
    await sendMany(service.port, MANY);
    expect(await service.kill('SIGTERM')).toEqual(CLEAN);
  });

  it('exits with 1 at an uncaught error', async () => {
    await start(makePipe());
    service.stopReading();
    await sendMany(service.port, MANY);
    expect(await service.kill('SIGHUP')).toEqual(FAILED);
  });
});

describe('A service whose log goes to a pipe that is full from the beginning', () => {
  let pipe: Pipe;
  beforeEach(() => {
    pipe = new Pipe();
    pipe.fill();
  });

  it('starts, serves and stops when told to', async () => {
    const port = await freePort('127.0.0.1');
    service = spawnService({ PORT: String(port) }, pipe);
    service.stopReading();
    await until(async () => (await statusOf(`http://127.0.0.1:${port}/health/ready`).catch(() => 0)) === 200);
    await sendMany(port, 1_000);
    expect(await service.kill('SIGTERM')).toEqual(CLEAN);
  });

  it('exits with 1 when it cannot start', async () => {
    service = spawnService({ PORT: 'none' }, pipe);
    service.stopReading();
    expect(await service.ended).toEqual(FAILED);
  });
});

it('A service whose log is read loses no line at an uncaught error', async () => {
  await start(new Pipe());
  const sent = await sendMany(service.port, 200);
  expect(await service.kill('SIGHUP')).toEqual(FAILED);
  await until(() => service.stderr.includes('The last fault.'));
  expect(requestIds()).toEqual(sent);
  expect(lines().at(-1)).toMatchObject({ level: 60, err: { message: 'The last fault.' } });
});

it('A service whose log goes to a file writes every line', async () => {
  const file = join(makeFolder(), 'log');
  const port = await freePort('127.0.0.1');
  service = new ServiceProcess(
    {
      DATABASE_URL: database.url,
      NODE_ENV: 'production',
      PORT: String(port),
      LOG_FILE: file,
    },
    { cwd, through: ['sh', '-c', 'echo before >"$LOG_FILE"; exec "$@" 2>>"$LOG_FILE"', 'sh'] },
  );
  await until(async () => (await statusOf(`http://127.0.0.1:${port}/health/ready`).catch(() => 0)) === 200);
  const sent = await sendMany(port, 200);
  expect(await service.kill('SIGTERM')).toEqual(CLEAN);
  const [before, ...written] = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(before).toBe('before');
  const ids = written.map((line) => (JSON.parse(line) as { requestId?: string }).requestId);
  expect(ids.filter((id) => id?.startsWith('r-'))).toEqual(sent);
});

it('A service whose log goes to a closed pipe serves, counts dropped lines, and stops when told to', async () => {
  await start(new Pipe());
  service.stopReadingForGood();
  await sendMany(service.port, MANY);
  expect(await droppedLines()).toBeGreaterThan(0);
  expect(await service.kill('SIGTERM')).toEqual(CLEAN);
});

it('A service on a frozen terminal serves, and shows its faults when the terminal goes on', async () => {
  const environment = { DATABASE_URL: database.url };
  const onTerminal = await ServiceOnTerminal.start(environment, cwd);
  onTerminal.freeze();
  // Lines on a terminal are shorter.
  await sendMany(Number(new URL(onTerminal.url).port), 2 * MANY);
  expect(await statusOf(`${onTerminal.url}/health/live`)).toBe(200);
  onTerminal.thaw();
  await until(() => onTerminal.shown.includes(DROPPED));
  onTerminal.type('\u0003');
  expect(await onTerminal.ended).toBe(0);
});
