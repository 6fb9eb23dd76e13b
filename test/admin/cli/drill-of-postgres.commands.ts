import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withRestored } from '../../../src/admin/database/scratch';
import { loadSettings } from '../../../src/platform/config/load-settings';
import { openDatabase } from '../../../src/platform/database/driver/open';
import { runSql } from '../../contract/support/sql';
import { createTestDatabase, type TestDatabase } from '../../support/databases/databases';
import { makeFolder } from '../../support/folders';
import { resultOf } from '../../support/processes/command';
import { until } from '../../support/until';
import { CliInProcess } from '../../cli/support/cli-in-process';
import { CLI_ENTRY } from '../../cli/support/cli-process';
import { execute } from '../../cli/support/execute';

/** Begins a program like pg_restore, which keeps its arguments and the address of the database. */
const PG_RESTORE = `#!/bin/sh
[ "$1" = --version ] && { echo 'pg_restore (PostgreSQL) 18.1'; exit 0; }
printf '%s\\n' "$@" >"$TMPDIR/arguments"
for each in "$@"; do case "$each" in --dbname=*) url="\${each#--dbname=}" ;; esac; done
`;
/** Restores a dump of a database without rows. */
const RESTORES = `DATABASE_URL="$url" exec "${process.execPath}" "${CLI_ENTRY}" db migrate`;
const WAITS = 'touch "$TMPDIR/begun"; exec sleep 600';

/** What a real pg_restore does is tested by `npm run test:nodes -- backup-and-restore`. */
describe('petstore db drill of a PostgreSQL dump', () => {
  let database: TestDatabase;
  let scratch: string;
  let programs: string;
  let cli: CliInProcess;

  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    await new CliInProcess({ DATABASE_URL: database.url }).run('db', 'migrate');
    const [{ name }] = (await execute(
      database,
      `SELECT 'petstore_drill_' || oid AS name FROM pg_database WHERE datname = current_database()`,
    )) as [{ name: string }];
    scratch = name;
  });
  beforeEach(() => {
    programs = makeFolder();
    cli = new CliInProcess({
      DATABASE_URL: database.url,
      TMPDIR: programs,
      PATH: `${programs}:/bin:/usr/bin`,
    });
    writeFileSync(join(cli.folder, 'shop.dump'), 'PGDMP');
  });
  afterAll(() => database.drop());

  function restoreBy(script: string): void {
    writeFileSync(join(programs, 'pg_restore'), PG_RESTORE + script);
    chmodSync(join(programs, 'pg_restore'), 0o755);
  }

  async function hasScratch(): Promise<boolean> {
    return (await execute(database, `SELECT 1 FROM pg_database WHERE datname = '${scratch}'`)).length > 0;
  }

  const drill = () => cli.run('db', 'drill', 'shop.dump', '--json');
  const newestResult = async () => {
    const listed = ['audit', 'list', '--subject', 'drills', '--limit', '1'];
    return (await cli.json<{ items: { subjectId: string }[] }>(...listed)).items[0]?.subjectId;
  };

  it('restores it into a database of its own, which is dropped, and records that', async () => {
    restoreBy(RESTORES);
    const { code, stdout } = await drill();
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ problems: [], migrated: [] })]);
    expect([await hasScratch(), await newestResult()]).toEqual([false, 'passed']);
    const args = readFileSync(join(programs, 'arguments'), 'utf8');
    expect(args).toContain(`/${scratch}`);
    expect(args).not.toContain(new URL(database.url).password);
  });

  it('fails, and records why, when pg_restore does', async () => {
    restoreBy('echo "unexpected end of file" >&2; exit 1');
    const { code, stdout } = await drill();
    const { problems } = JSON.parse(stdout) as { problems: string[] };
    expect([code, problems.join()]).toEqual([1, expect.stringContaining('unexpected end of file')]);
    expect([await hasScratch(), await newestResult()]).toEqual([false, 'failed']);
  });

  it.each([
    ['the server refuses', 'case "$*" in *--dbname=*) echo "disk full" >&2; exit 1 ;; esac', 'disk full'],
    ['a newer pg_dump has made', 'echo "unsupported version (1.99) in file header" >&2; exit 1', '1.99'],
  ])('fails, and records nothing, when the dump is one that %s', async (_, script, said) => {
    const before = await newestResult();
    restoreBy(script);
    const { code, stdout, stderr } = await drill();
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(said)]);
    expect([await hasScratch(), await newestResult()]).toEqual([false, before]);
  });

  it('removes the database that a killed drill has left, and is refused beside one under way', async () => {
    restoreBy(WAITS);
    const killed = cli.process.start('db', 'drill', 'shop.dump');
    const ended = resultOf(killed);
    await until(() => existsSync(join(programs, 'begun')));
    expect((await drill()).code).toBe(4);
    killed.kill('SIGKILL');
    await ended;
    expect(await hasScratch()).toBe(true);
    restoreBy(RESTORES);
    await until(async () => (await drill()).code === 0);
    expect(await hasScratch()).toBe(false);
  });

  it('leaves nothing when it is told to end, and records nothing', async () => {
    const before = await newestResult();
    restoreBy(WAITS);
    const child = cli.process.start('db', 'drill', 'shop.dump');
    const result = resultOf(child);
    await until(() => existsSync(join(programs, 'begun')));
    child.kill('SIGINT');
    expect(await result).toMatchObject({ code: 1, stdout: '' });
    expect([await hasScratch(), await newestResult()]).toEqual([false, before]);
  });

  it('drops no database that no drill has made', async () => {
    restoreBy(RESTORES);
    await runSql(database, `CREATE DATABASE "${scratch}"`);
    expect((await drill()).code).toBe(4);
    expect(await hasScratch()).toBe(true);
    await runSql(database, `DROP DATABASE "${scratch}"`);
  });

  it('says which right is missing', async () => {
    const role = `clerk_${scratch.replace(/\D/g, '')}`;
    await runSql(database, `CREATE ROLE ${role} LOGIN PASSWORD 'clerk'`);
    await runSql(database, `GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`);
    const url = Object.assign(new URL(database.url), { username: role, password: 'clerk' }).href;
    restoreBy(RESTORES);
    const failed = await cli.with({ DATABASE_URL: url }).run('db', 'drill', 'shop.dump');
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('CREATEDB') });
    await runSql(database, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  it('restores nothing where every address leads to the served database', async () => {
    restoreBy(RESTORES);
    const open = () => openDatabase(loadSettings({ DATABASE_URL: database.url }));
    const served = await open();
    const task = { backup: 'shop.dump', databaseUrl: database.url, served, open };
    const work = jest.fn<Promise<void>, []>();
    await expect(withRestored({ ...task, signal: new AbortController().signal }, work)).rejects.toThrow(
      scratch,
    );
    expect([work.mock.calls, existsSync(join(programs, 'arguments'))]).toEqual([[], false]);
    await served.destroy();
  });
});
