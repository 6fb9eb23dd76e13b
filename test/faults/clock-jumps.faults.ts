import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { AuditRetentionJob } from '../../src/platform/audit/audit-retention-job';
import { ResponseRetentionJob } from '../../src/platform/http/idempotency/response-retention-job';
import { RequestLog } from '../../src/platform/request-log/request-log';
import { RequestLogRetentionJob } from '../../src/platform/request-log/request-log-retention-job';
import { createToken } from '../../src/platform/security/api-key-token';
import { DAY_MS } from '../../src/platform/values/calendar';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import { migrate } from '../support/databases/migrated-database';
import { recordFigure } from '../support/samples/figures';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, runCli, ServiceProcess } from '../support/processes/service-process';
import { startTestService, type TestService } from '../support/service/service';
import { setDate } from '../support/fake-only';
import { until } from '../support/until';
import { FakeClock } from './support/fake-clock';
import { flood } from './support/flood';

const WORKER = join(__dirname, '..', 'support', 'fixtures', 'slow-worker.mjs');
const FAULT = 'the clock of one of two nodes jumps by an hour';
const HOUR_S = 3_600;
const LEASE_S = 15;
const LIMIT = 100;

const key = createToken();
const cwd = makeFolder();

let database: TestDatabase;
let observer: Client;
let clock: FakeClock;

beforeEach(async () => {
  database = await createTestDatabase('postgres');
  observer = new Client({ connectionString: database.url });
  await observer.connect();
  clock = new FakeClock();
});
afterEach(async () => {
  await observer.end();
  await database.drop();
});

describe('The work of two processes with one clock set an hour forwards and backwards', () => {
  const ledger = join(makeFolder(), 'ledger');
  let workers: ChildProcess[] = [];

  afterEach(async () => {
    const ended = Promise.all(workers.map((worker) => once(worker, 'exit')));
    for (const worker of workers) worker.kill('SIGKILL');
    await ended;
  });

  const lines = () => (existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n').slice(0, -1) : []);
  const linesOf = (what: string) => lines().filter((line) => line.startsWith(what));

  function startWorker(environment: Record<string, string>): ChildProcess {
    const env = { PATH: process.env.PATH, DATABASE_URL: database.url, LEDGER: ledger, ...environment };
    return spawn(process.execPath, [WORKER], { env, stdio: ['pipe', 'ignore', 'inherit'] });
  }

  it('is done once, goes on at once, and is claimed no longer than a process may be silent', async () => {
    await migrate(database.url);
    workers = [startWorker({}), startWorker(clock.environment)];
    await until(() => linesOf('ready').length === 2);
    let published = 0;
    for (const seconds of [HOUR_S, -HOUR_S]) {
      clock.set(seconds);
      const ticks = linesOf('end tick').length;
      for (let round = 0; round < 5; round++) {
        for (const worker of workers) worker.stdin?.write(`toy${published++}\n`);
      }
      await until(() => linesOf('begin toy').length > published - 5);
      const { rows } = await observer.query<{ left: number }>(
        `SELECT extract(epoch FROM max(locked_until) - clock_timestamp())::float8 AS left FROM stored_events`,
      );
      expect(rows[0]?.left).toBeLessThanOrEqual(LEASE_S);
      await until(() => new Set(linesOf('end toy')).size >= published);
      await until(() => linesOf('end tick').length > ticks + 1);
    }
    expect(linesOf('begin toy')).toHaveLength(published);
    // One after the other: each begin has its end behind it.
    const ticks = lines().filter((line) => line.includes(' tick '));
    ticks.forEach((line, index) => expect(line.split(' ')[0]).toBe(index % 2 ? 'end' : 'begin'));
    recordFigure(FAULT, 'stored events handled once each', published);
    recordFigure(FAULT, 'runs of a scheduled method, one at a time', linesOf('end tick').length);
  });
});

describe('Two nodes with one clock set an hour forwards and backwards', () => {
  afterEach(() => endServiceProcesses());

  it('are one service to their clients', async () => {
    const environment = {
      DATABASE_URL: database.url,
      MIGRATE_ON_START: 'true',
      BOOTSTRAP_API_KEY: key,
      RATE_LIMIT_PER_MINUTE: String(LIMIT),
    };
    const right = await ServiceProcess.start(environment, { cwd });
    const wrong = await ServiceProcess.start({ ...environment, ...clock.environment }, { cwd });
    const makeKey = async (...words: string[]) => {
      const made = await runCli(environment, cwd, 'keys', 'create', '--json', '--name', 'k', ...words);
      return JSON.parse(made) as { id: string; key: string };
    };
    const clockOf = async (node: ServiceProcess) =>
      Date.parse((await node.fetch('/health/live', '')).headers.get('date') ?? '');
    let count = 0;
    for (const seconds of [HOUR_S, -HOUR_S]) {
      const customer = await makeKey('--scopes', 'pets:read,pets:write');
      const add = async (node: ServiceProcess, idempotencyKey: string) => {
        const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
        const body = `{"name":"${idempotencyKey}","categoryId":1}`;
        const response = await node.fetch('/v1/pets', customer.key, { method: 'POST', headers, body });
        expect(response.status).toBe(201);
        return { pet: (await response.json()) as { id: number }, headers: response.headers };
      };
      // Its window begins before the jump.
      const greedy = await makeKey('--scopes', 'pets:read');
      await flood(LIMIT, 4, () => wrong.fetch('/v1/pets?limit=1', greedy.key));

      clock.set(seconds);
      await until(async () => Math.abs((await clockOf(wrong)) - Date.now() - seconds * 1_000) < 60_000);

      const refused = await wrong.fetch('/v1/pets?limit=1', greedy.key);
      if (seconds < 0) expect(refused.status).toBe(429);
      if (refused.status === 429) expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);

      const ids: number[] = [];
      for (const [one, other] of [
        [right, wrong],
        [wrong, right],
        [right, wrong],
      ] as const) {
        const name = `toy-${count++}`;
        const first = await add(one, name);
        const again = await add(other, name);
        expect(again.headers.get('idempotency-replayed')).toBe('true');
        expect(again.pet).toEqual(first.pet);
        ids.push(first.pet.id);
      }
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      const page = await right.fetch('/v1/pets?limit=2', customer.key);
      const next = /<[^>]*(\/v1\/pets[^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
      const pages = await Promise.all([right, wrong].map((node) => node.fetch(next, customer.key)));
      expect(await pages[1]?.json()).toEqual(await pages[0]?.json());

      await runCli(environment, cwd, 'keys', 'revoke', customer.id, '--yes');
      await until(async () => (await wrong.fetch('/v1/pets', customer.key)).status === 401);
      expect((await wrong.fetch('/health/ready', '')).status).toBe(200);
    }
    expect(await wrong.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    recordFigure(FAULT, 'pets added by both, and repeated on the other', count);
  });
});

describe('A node whose clock is years ahead', () => {
  let service: TestService;

  beforeEach(async () => {
    const settings = { DATABASE_URL: database.url, AUDIT_RETENTION_DAYS: '1' };
    service = await startTestService('postgres', settings);
  });
  afterEach(() => service.stop());

  it('deletes no row before its time', async () => {
    const { app } = service;
    const headers = { 'idempotency-key': 'once' };
    const add = () => service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, headers);
    expect((await add()).status).toBe(201);
    await app.get(RequestLog).write();
    const counts = async () => {
      const tables = ['idempotent_answers', 'request_log', 'audit_events'];
      const sql = tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`);
      return (await observer.query<Record<string, number>>(`SELECT ${sql.join(', ')}`)).rows[0];
    };
    const before = await counts();
    expect(before).toEqual({ idempotent_answers: 1, request_log: 1, audit_events: 1 });
    setDate(Date.now() + 10 * 365 * DAY_MS);
    try {
      const jobs = [ResponseRetentionJob, RequestLogRetentionJob, AuditRetentionJob];
      for (const job of jobs) await app.get<{ run(): Promise<void> }>(job, { strict: false }).run();
    } finally {
      jest.useRealTimers();
    }
    expect(await counts()).toEqual(before);
  });
});
