import { describeLocation } from '../../../src/platform/database/driver/database-url';
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../../support/databases/databases';
import { startTestService } from '../../support/service/service';
import { CliInProcess } from '../../cli/support/cli-in-process';
import { CliProcess } from '../../cli/support/cli-process';
import type { CliRunner } from '../../cli/support/cli-runner';
import { execute } from '../../cli/support/execute';

interface Check {
  name: string;
  status: 'ok' | 'failed' | 'skipped';
  found: string;
  problems: string[];
}

interface Report {
  status: 'ok' | 'failed';
  checks: Check[];
}

/** Runs `db check --json`. */
async function check(cli: CliRunner, ...options: string[]) {
  const { code, stdout, stderr } = await cli.run('db', 'check', '--json', ...options);
  const report = JSON.parse(stdout) as Report;
  return { code, stderr, report, of: (name: string) => report.checks.find((each) => each.name === name) };
}

describeEachEngine('petstore db check', (engine) => {
  let database: TestDatabase;
  let cli: CliInProcess;

  beforeEach(async () => {
    database = await createTestDatabase(engine);
    cli = new CliInProcess({ DATABASE_URL: database.url });
    await cli.run('db', 'migrate');
  });
  afterEach(() => database.drop());

  it('finds no fault in a migrated database, and changes nothing', async () => {
    const counted = async () =>
      engine === 'postgres'
        ? execute(database, `SELECT pg_current_xact_id_if_assigned(), count(*) FROM pg_class`)
        : createHash('sha256')
            .update(readFileSync(database.url.slice('sqlite:'.length)))
            .digest('hex');
    const before = await counted();
    const { code, stderr, report } = await check(cli);
    expect({ code, stderr, status: report.status }).toEqual({
      code: 0,
      stderr: `The database ${describeLocation(database.url)} is intact.\n`,
      status: 'ok',
    });
    const names = report.checks.map(({ name }) => name);
    expect(names).toEqual(
      engine === 'sqlite'
        ? ['integrity', 'foreignKeys', 'migrations', 'schema']
        : ['indexes', 'constraints', 'sequences', 'checksums', 'indexStructure', 'migrations', 'schema'],
    );
    expect(await counted()).toEqual(before);
    expect((await check(cli, '--quick')).report.checks.length).toBe(names.length - 1);
  });

  it('names each difference from the entities: exit code 1', async () => {
    await execute(database, 'DROP INDEX "idx_pets_present_status_id"');
    const { code, stderr, report, of } = await check(cli);
    expect([code, stderr, report.status]).toEqual([
      1,
      `The database ${describeLocation(database.url)} has faults.\n`,
      'failed',
    ]);
    expect(of('schema')?.problems.join()).toContain('CREATE INDEX "idx_pets_present_status_id"');
    expect((await cli.run('db', 'check')).stdout).toMatch(/^schema\tfailed\t.*idx_pets_present_status_id/m);
  });

  it('names pending and unknown migrations, and compares nothing then', async () => {
    await cli.run('db', 'revert', '--yes');
    const pending = await check(cli);
    expect([pending.code, pending.of('migrations')?.problems.join()]).toEqual([
      1,
      expect.stringContaining('"petstore db migrate"'),
    ]);
    expect(pending.of('schema')?.status).toBe('skipped');
    await cli.run('db', 'migrate');
    await execute(
      database,
      `INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'FromTheFuture')`,
    );
    const unknown = await check(cli);
    expect(unknown.of('migrations')?.problems).toEqual([
      expect.stringContaining('FromTheFuture is unknown to this version'),
    ]);
    expect(unknown.of('schema')?.status).toBe('skipped');
  });

  it('works beside a running server that writes', async () => {
    const service = await startTestService(engine);
    const end = new AbortController();
    const writing = (async () => {
      while (!end.signal.aborted) {
        expect((await service.post('/v1/pets', { name: 'meanwhile', categoryId: 1 })).status).toBe(201);
      }
    })();
    const beside = new CliProcess({ DATABASE_URL: service.database.url });
    expect((await check(beside)).report.status).toBe('ok');
    end.abort();
    await writing;
    await service.stop();
  });
});

describe('petstore db check of a SQLite file', () => {
  let database: TestDatabase;
  let cli: CliInProcess;

  beforeEach(async () => {
    database = await createTestDatabase('sqlite');
    cli = new CliInProcess({ DATABASE_URL: database.url });
    await cli.run('db', 'migrate');
  });
  afterEach(() => database.drop());

  it.each([['full'], ['quick', '--quick']])('finds and names damage: %s', async (_depth, ...options) => {
    await cli.run('seed', '--count', '3000');
    const file = database.url.slice('sqlite:'.length);
    const descriptor = openSync(file, 'r+');
    // A page in the middle, of rows or of an index; the first page holds the schema.
    writeSync(descriptor, Buffer.alloc(4096, 0x5a), 0, 4096, Math.floor(statSync(file).size / 8192) * 4096);
    closeSync(descriptor);
    const { code, of } = await check(cli, ...options);
    expect([code, of('integrity')?.status]).toEqual([1, 'failed']);
    expect(of('integrity')?.problems.length).toBeGreaterThan(0);
  });

  it('finds rows that refer to nothing', async () => {
    const file = new SqliteDatabase(database.url.slice('sqlite:'.length));
    file.pragma('foreign_keys = OFF');
    file.exec('CREATE TABLE a (id integer PRIMARY KEY)');
    file.exec('CREATE TABLE b (a integer REFERENCES a (id)); INSERT INTO b VALUES (7)');
    file.close();
    const { of } = await check(cli);
    expect(of('foreignKeys')?.problems).toEqual([expect.stringMatching(/\b1\b.*\bb\b.*\ba\b/)]);
  });

  it('names a reference that cannot be checked', async () => {
    const file = new SqliteDatabase(database.url.slice('sqlite:'.length));
    file.exec('CREATE TABLE c (id integer); CREATE TABLE d (c integer REFERENCES c (id))');
    file.close();
    const { code, of } = await check(cli);
    expect([code, of('foreignKeys')?.problems]).toEqual([1, [expect.stringMatching(/\bd\b.*\bc\b/)]]);
  });

  it('says in one sentence that a file is no database: exit code 1', async () => {
    writeFileSync(join(cli.folder, 'notes'), 'a list of things to do\n'.repeat(100));
    const broken = cli.with({ DATABASE_URL: 'sqlite:notes' });
    const { code, stdout, stderr } = await broken.run('db', 'check', '--json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^.*\n$/);
  });
});

describe('petstore db check of a PostgreSQL database', () => {
  let database: TestDatabase;
  let cli: CliInProcess;

  beforeEach(async () => {
    database = await createTestDatabase('postgres');
    cli = new CliInProcess({ DATABASE_URL: database.url });
    await cli.run('db', 'migrate');
  });
  afterEach(() => database.drop());

  it('finds an invalid index and a constraint that was never validated', async () => {
    await execute(database, 'CREATE TABLE a (id integer)');
    await execute(database, 'INSERT INTO a VALUES (1), (1)');
    const building = execute(database, 'CREATE UNIQUE INDEX CONCURRENTLY half ON a (id)');
    await expect(building).rejects.toThrow('could not create unique index');
    await execute(database, 'ALTER TABLE a ADD CONSTRAINT above CHECK (id > 1) NOT VALID');
    const { code, of } = await check(cli, '--quick');
    expect(code).toBe(1);
    expect(of('indexes')?.problems).toEqual([expect.stringContaining(' public.half ')]);
    expect(of('constraints')?.problems).toEqual([expect.stringContaining(' above ')]);
  });

  it('checks the indexes with amcheck, and says how to install it', async () => {
    expect((await check(cli)).of('indexStructure')).toMatchObject({
      status: 'skipped',
      found: expect.stringContaining('CREATE EXTENSION amcheck') as unknown,
    });
    await execute(database, 'CREATE EXTENSION amcheck');
    expect((await check(cli)).of('indexStructure')).toMatchObject({ status: 'ok' });

    // An index that does not hold what its table says, without damage to a file.
    const kept = (sign: string) =>
      `CREATE OR REPLACE FUNCTION kept(n integer) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT ${sign}n'`;
    await execute(database, kept(''));
    await execute(database, 'CREATE TABLE a AS SELECT generate_series(1, 100) AS n');
    await execute(database, 'CREATE INDEX wrong ON a (kept(n))');
    await execute(database, kept('-'));
    const { code, of } = await check(cli);
    expect(code).toBe(1);
    expect(of('indexStructure')?.problems).toEqual([expect.stringMatching(/^public\.wrong: heap tuple/)]);
  });

  it.each([1, 7])(
    'finds a sequence that is behind the rows up to %d: each creation would fail',
    async (last) => {
      await execute(database, 'TRUNCATE "pets" RESTART IDENTITY');
      await execute(database, `INSERT INTO "pets" ("id", "name", "category_id") VALUES (${last}, 'Rex', 3)`);
      const { code, of } = await check(cli);
      expect([code, of('sequences')?.problems]).toEqual([
        1,
        [expect.stringContaining(`setval('public.pets_id_seq'`)],
      ]);
    },
  );

  it('says which right it lacks to check the indexes', async () => {
    const url = new URL(database.url);
    const role = `${url.pathname.slice(1)}_reader`;
    [url.username, url.password] = [role, 'reader'];
    await execute(database, 'CREATE EXTENSION amcheck');
    await execute(database, `CREATE ROLE "${role}" LOGIN PASSWORD 'reader'`);
    await execute(database, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO "${role}"`);
    const { of } = await check(cli.with({ DATABASE_URL: url.href }));
    await execute(database, `DROP OWNED BY "${role}"`);
    await execute(database, `DROP ROLE "${role}"`);
    expect(of('indexStructure')).toMatchObject({
      status: 'skipped',
      found: expect.stringContaining('GRANT EXECUTE') as unknown,
    });
  });
});
