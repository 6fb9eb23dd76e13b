import SqliteDatabase from 'better-sqlite3';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import { endServiceProcesses } from '../support/processes/service-process';
import { until } from '../support/until';
import { HAPROXY_REPEATS_CREATIONS, launchHaproxy, launchNginx } from './support/proxies';
import { replacing, Site } from './support/site';

const IMPATIENT = [
  {
    name: 'nginx',
    launch: launchNginx,
    change: replacing(
      ['error timeout http_503;', 'error timeout http_503 non_idempotent;\n    proxy_read_timeout 1s;'],
      // It would leave the process alone for ten seconds.
      ['127.0.0.1:3000', '127.0.0.1:3000 max_fails=0'],
      ['127.0.0.1:3002', '127.0.0.1:3002 max_fails=0'],
    ),
  },
  {
    name: 'HAProxy',
    launch: launchHaproxy,
    change: replacing(
      ['retry-on conn-failure empty-response', 'retry-on all-retryable-errors'],
      HAPROXY_REPEATS_CREATIONS,
      ['timeout server 60s', 'timeout server 1s'],
    ),
  },
];

/** What a proxy says when no attempt had a response in time. On a busy machine that goes for any attempt. */
const GIVEN_UP = [503, 504];

/** The test says when what it holds up goes on. */
const PATIENT = { DATABASE_STATEMENT_TIMEOUT_MS: '3600000' };

/** Makes those wait who add a pet, and lets others read. */
const HOLD = 'LOCK TABLE pets IN SHARE MODE';

describe.each(IMPATIENT)('Behind $name that repeats a POST while the service still does it', (proxy) => {
  let database: TestDatabase;
  let site: Site;
  /** Another client of the database, which holds the creations up. */
  let other: Client;

  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    site = await Site.open(proxy.launch, proxy.change, {
      DATABASE_URL: database.url,
      MIGRATE_ON_START: 'true',
      DATABASE_POOL_SIZE: '50',
      ...PATIENT,
    });
    other = new Client({ connectionString: database.url });
    await other.connect();
  });
  beforeEach(() => other.query(`BEGIN; ${HOLD}`));
  afterEach(() => other.query('ROLLBACK'));
  afterAll(async () => {
    // Those of a site that did not open, too.
    await endServiceProcesses();
    await other.end();
    await site.close();
    await database.drop();
  });

  /** How many creations wait in the service. */
  async function held(): Promise<number> {
    const { rows } = await other.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted AND relation = 'pets'::regclass`,
    );
    return rows[0]?.count ?? 0;
  }

  /** Lets those that wait go on. @returns when they have */
  async function letGo(): Promise<void> {
    // The second lock is given after them.
    await other.query(`COMMIT; BEGIN; ${HOLD}; COMMIT`);
  }

  /** The names of the pets that a test has added. */
  async function namesOf(test: string): Promise<string[]> {
    const { rows } = await other.query<{ name: string }>('SELECT name FROM pets ORDER BY id');
    return rows.map(({ name }) => name).filter((name) => name.startsWith(test));
  }

  it('a creation with an Idempotency-Key is made once, and its repetition gets 409', async () => {
    const names: string[] = [];
    const send = (name: string) => site.post(name, { headers: { 'idempotency-key': name } });
    await until(async () => {
      const name = `once-${names.length}`;
      names.push(name);
      const { status, headers, text } = await send(name);
      if (GIVEN_UP.includes(status)) return false;
      const { code } = JSON.parse(text) as { code: string };
      expect([status, code, headers['retry-after']]).toEqual([409, 'idempotency_in_progress', '1']);
      return true;
    });
    expect(await held()).toBeGreaterThan(0);
    await letGo();
    for (const name of names) await until(async () => (await send(name)).status === 201);
    expect((await namesOf('once')).toSorted()).toEqual(names.toSorted());
  });

  it('a creation without a key is made by each of its attempts, as the page says', async () => {
    let sent = 0;
    await until(async () => {
      expect(GIVEN_UP).toContain(await site.create(`again-${sent++}`));
      return (await held()) > sent;
    });
    const waiting = await held();
    await letGo();
    expect(await namesOf('again')).toHaveLength(waiting);
  });
});

describe.each(IMPATIENT)('Behind $name that repeats a POST while SQLite waits for its file', (proxy) => {
  let site: Site;
  let database: TestDatabase;
  let other: SqliteDatabase.Database;

  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
    site = await Site.open(proxy.launch, proxy.change, { DATABASE_URL: database.url, ...PATIENT });
    other = new SqliteDatabase(database.url.slice('sqlite:'.length));
  });
  afterAll(async () => {
    // Those of a site that did not open, too.
    await endServiceProcesses();
    other.close();
    await site.close();
    await database.drop();
  });

  it('creations with an Idempotency-Key are made once', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const send = (name: string) => site.create(name, { headers: { 'idempotency-key': name } });
    other.exec('BEGIN IMMEDIATE');
    for (const status of await Promise.all(names.map(send))) expect(GIVEN_UP).toContain(status);
    other.exec('COMMIT');
    for (const name of names) await until(async () => (await send(name)) === 201);
    expect(other.prepare('SELECT name FROM pets ORDER BY name').pluck().all()).toEqual(names);
  });
});
