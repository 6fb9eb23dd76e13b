import { Client } from 'pg';
import { createToken } from '../../src/platform/security/api-key-token';
import { type TimedResponse, timed } from '../support/http/timed-response';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';
import { ResponseCount } from './support/responses';
import { recordFigure } from '../support/samples/figures';
import { flood } from './support/flood';

/** Above PostgreSQL's deadlock_timeout of one second, and with a wait in which a busy machine makes a connection. */
const STATEMENT_TIMEOUT_MS = 3_000;
/** A generous allowance for a busy machine; a wait without a bound is far beyond it. */
const DELAY_MS = 15_000;

const key = createToken();
const cwd = makeFolder();

let database: TestDatabase;
let service: ServiceProcess;
/** Another client of the same database. */
let other: Client;
/** Who looks on; in a transaction one would see what was when one first looked. */
let observer: Client;
let responses: ResponseCount;

async function start(poolSize: number): Promise<void> {
  database = await createTestDatabase('postgres');
  service = await ServiceProcess.start(
    {
      DATABASE_URL: database.url,
      MIGRATE_ON_START: 'true',
      BOOTSTRAP_API_KEY: key,
      DATABASE_POOL_SIZE: String(poolSize),
      DATABASE_STATEMENT_TIMEOUT_MS: String(STATEMENT_TIMEOUT_MS),
    },
    { cwd },
  );
  [other, observer] = await Promise.all([connect(), connect()]);
  responses = new ResponseCount([409, 503]);
}

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  return client;
}

afterEach(async () => {
  await endServiceProcesses();
  await Promise.all([other.end(), observer.end()]);
  await database.drop();
});

async function ask(asking: () => Promise<Response>): Promise<TimedResponse> {
  const response = await timed(asking);
  if (!response) throw new Error('The service gave no response.');
  responses.note(response);
  return response;
}

const list = (token = key) => ask(() => service.fetch('/v1/pets', token));
const create = (headers: Record<string, string> = {}) =>
  ask(() =>
    service.fetch('/v1/pets', key, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{"name":"Rex","categoryId":1}',
    }),
  );

/** How many connections of the service there are in a state, as PostgreSQL sees them. */
async function connections(condition: string): Promise<number> {
  const { rows } = await observer.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'petstore' AND ${condition}`,
  );
  return rows[0]?.count ?? 0;
}

const WAITING = "wait_event_type = 'Lock'";

/** Lets so many clients ask again and again until the condition holds. */
async function askUntil(
  condition: () => Promise<boolean>,
  clients: number,
  asking: () => Promise<unknown>,
): Promise<void> {
  const over = new AbortController();
  const client = async () => {
    while (!over.signal.aborted) await asking();
  };
  const running = Promise.all(Array.from({ length: clients }, client));
  try {
    await until(condition);
  } finally {
    over.abort();
    await running;
  }
}

/** That each connection the pool may have can still be used, and that none of them is in a transaction afterwards. */
async function expectWholePool(size: number): Promise<void> {
  await other.query('BEGIN; LOCK TABLE pets IN ACCESS EXCLUSIVE MODE');
  await askUntil(
    async () => (await connections(WAITING)) === size,
    2 * size,
    () => list(),
  );
  await other.query('ROLLBACK');
  await until(async () => (await connections("state <> 'idle'")) === 0);
  expect(await connections('true')).toBeLessThanOrEqual(size);
  expect((await list()).status).toBe(200);
  expect((await create()).status).toBe(201);
}

function expectInTime(): void {
  expect(responses.wrong).toEqual([]);
  expect(responses.longestMs).toBeLessThan(2 * STATEMENT_TIMEOUT_MS + DELAY_MS);
}

describe('A service on a PostgreSQL server that is slow', () => {
  it('responds with 503 to a slow statement or without a free connection, and keeps its pool', async () => {
    const fault = 'pool of 2 exhausted';
    await start(2);
    expect((await list()).status).toBe(200);
    for (let round = 0; round < 2; round++) {
      await other.query('BEGIN; LOCK TABLE pets IN ACCESS EXCLUSIVE MODE');
      const asked = flood(60, 20, (i) => (i % 2 ? list() : create({ 'idempotency-key': `${round}-${i}` })));
      await until(async () => (await connections(WAITING)) === 2);
      const statuses = new Set((await asked).map(({ status }) => status));
      expect(statuses).toEqual(new Set([503]));
      await other.query('ROLLBACK');
    }
    expectInTime();
    responses.record(fault);
    await expectWholePool(2);
    recordFigure(fault, 'connections after it', await connections('true'));
    // None of the refused was added after all.
    const { rows } = await other.query('SELECT name FROM pets');
    expect(rows).toEqual([{ name: 'Rex' }]);
  });

  it('serves readers while writers wait for a lock, and ends those writers in time', async () => {
    const fault = 'writers locked out';
    await start(4);
    expect((await create()).status).toBe(201);
    await other.query('BEGIN; LOCK TABLE pets IN SHARE MODE');
    const reads: number[] = [];
    const haveRead = async () => {
      if ((await connections(WAITING)) === 3) reads.push((await list()).status);
      return reads.length === 20;
    };
    await askUntil(haveRead, 3, async () => expect((await create()).status).toBe(503));
    expect(new Set(reads)).toEqual(new Set([200]));
    expect(service.stderr).toContain('canceling statement due to statement timeout');
    await other.query('ROLLBACK');
    expectInTime();
    responses.record(fault);
    await expectWholePool(4);
  });

  it('retries the victim of a deadlock, which adds one pet', async () => {
    // A connection that was not given back would be the only one.
    await start(1);
    await other.query("SET deadlock_timeout = '1h'; BEGIN; LOCK TABLE idempotent_answers IN SHARE MODE");
    const victim = create({ 'idempotency-key': 'deadlock' });
    await until(async () => (await connections(WAITING)) === 1);
    // The service holds pets and wants idempotent_answers, and this is the other way round.
    const locking = other.query('LOCK TABLE pets IN SHARE MODE');
    // Given once PostgreSQL has ended the transaction of the service.
    await locking;
    await other.query('ROLLBACK');
    expect((await victim).status).toBe(201);
    const { rows } = await other.query('SELECT name FROM pets');
    expect(rows).toEqual([{ name: 'Rex' }]);
    expectInTime();
  });

  it('adds each pet once despite conflicts of serializable transactions and repeated requests', async () => {
    const fault = 'serializable transactions';
    await start(4);
    const { pathname } = new URL(database.url);
    await other.query(
      `ALTER DATABASE "${pathname.slice(1)}" SET default_transaction_isolation = 'serializable'`,
    );
    await observer.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'petstore'`);
    const wanted = 200;
    const attempts = await flood(wanted, 20, async (i) => {
      for (let attempt = 1; ; attempt++) {
        const { status } = await create({ 'idempotency-key': String(i) });
        if (status === 201) return attempt;
        expect([409, 503]).toContain(status);
      }
    });
    const { rows } = await other.query('SELECT count(*)::int AS count FROM pets');
    expect(rows).toEqual([{ count: wanted }]);
    expectInTime();
    responses.record(fault);
    recordFigure(fault, 'most attempts for one pet', Math.max(...attempts));
  });
});
