import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../../support/databases/databases';
import { makeFolder } from '../../support/folders';
import { resultOf } from '../../support/processes/command';
import { until } from '../../support/until';
import { CliInProcess } from '../../cli/support/cli-in-process';

/** A dump as the programs see it: `whole` is one, and any other text is none. */
const PG_RESTORE =
  '#!/bin/sh\ngrep -qx whole "$2" || { echo "pg_restore: error: input file is too short" >&2; exit 1; }\n';

/** Begins a program like pg_dump, which keeps its arguments and its password in files. */
const PG_DUMP = `#!/bin/sh
printf '%s\\n' "$@" >"$TMPDIR/arguments"
printf '%s' "$PGPASSWORD" >"$TMPDIR/password"
for each in "$@"; do case "$each" in --file=*) file="\${each#--file=}" ;; esac; done
`;

/** What a real pg_dump and pg_restore do is tested by `npm run test:nodes -- backup-and-restore`. */
describe('petstore db backup of a PostgreSQL database', () => {
  let database: TestDatabase;
  let folder: string;
  let programs: string;
  let cli: CliInProcess;

  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    await new CliInProcess({ DATABASE_URL: database.url }).run('db', 'migrate');
  });
  beforeEach(() => {
    folder = makeFolder();
    programs = makeFolder();
    const PATH = `${programs}:/bin:/usr/bin`;
    cli = new CliInProcess({ DATABASE_URL: database.url, TMPDIR: programs, PATH }, folder);
    writeProgram('pg_restore', PG_RESTORE);
  });
  afterAll(() => database.drop());

  function writeProgram(name: string, script: string): void {
    writeFileSync(join(programs, name), script);
    chmodSync(join(programs, name), 0o755);
  }

  /** Runs a backup with these programs in place of PostgreSQL's. */
  async function backUp(file: string, pgDump: string) {
    writeProgram('pg_dump', PG_DUMP + pgDump);
    return cli.run('db', 'backup', file);
  }

  it('gives the dump its name once it is whole, for its owner alone', async () => {
    const done = await backUp('shop.dump', 'echo whole >"$file"');
    expect(done).toMatchObject({ code: 0, stdout: '' });
    expect(readdirSync(folder).sort()).toEqual(['shop.dump']);
    expect((statSync(join(folder, 'shop.dump')).mode & 0o777).toString(8)).toBe('600');
    const args = readFileSync(join(programs, 'arguments'), 'utf8').split('\n');
    expect(args).toEqual(expect.arrayContaining(['--format=custom']));
  });

  it('keeps from pg_dump the parameters of the address that only node-postgres knows', async () => {
    const address = `${database.url}?application_name=shop&query_timeout=60000`;
    writeProgram('pg_dump', `${PG_DUMP}echo whole >"$file"`);
    const done = await cli.with({ DATABASE_URL: address }).run('db', 'backup', 'shop.dump');
    expect(done).toMatchObject({ code: 0 });
    const args = readFileSync(join(programs, 'arguments'), 'utf8');
    expect([args.includes('application_name=shop'), args.includes('query_timeout')]).toEqual([true, false]);
  });

  it('tells the password to no other user of the machine', async () => {
    await backUp('shop.dump', 'echo whole >"$file"');
    const { password } = new URL(database.url);
    expect(readFileSync(join(programs, 'password'), 'utf8')).toBe(decodeURIComponent(password));
    expect(password.length).toBeGreaterThan(0);
    expect(readFileSync(join(programs, 'arguments'), 'utf8')).not.toContain(password);
  });

  it.each([
    ['fails after half of it', 'echo half >"$file"; echo "connection lost" >&2; exit 1', 'connection lost'],
    ['writes nothing and calls that a success', ':', 'input file is too short'],
    ['writes no dump and calls that a success', 'echo half >"$file"', 'input file is too short'],
  ])('leaves the last good backup and nothing else when pg_dump %s', async (_title, script, said) => {
    await backUp('shop.dump', 'echo whole >"$file"');
    const failed = await backUp('next.dump', script);
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(said) });
    expect(readdirSync(folder).sort()).toEqual(['shop.dump']);
    const taken = await backUp('shop.dump', script);
    expect(taken.code).toBe(1);
    expect(readFileSync(join(folder, 'shop.dump'), 'utf8')).toBe('whole\n');
  });

  it('says what is missing where the programs of PostgreSQL are not installed', async () => {
    const failed = await cli.with({ PATH: folder }).run('db', 'backup', 'shop.dump');
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('pg_dump') });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves everything alone while the server is away', async () => {
    writeFileSync(join(folder, 'shop.dump'), 'whole');
    const url = new URL(database.url);
    url.port = '1';
    const away = cli.with({ DATABASE_URL: url.href });
    expect(await away.run('db', 'backup', 'next.dump')).toMatchObject({ code: 1 });
    expect(readdirSync(folder)).toEqual(['shop.dump']);
  });

  it('refuses a database without the tables of the service', async () => {
    const empty = await createTestDatabase('postgres');
    writeProgram('pg_dump', `${PG_DUMP}echo whole >"$file"`);
    const wrong = cli.with({ DATABASE_URL: empty.url });
    expect(await wrong.run('db', 'backup', 'shop.dump')).toMatchObject({ code: 3 });
    expect(readdirSync(folder)).toEqual([]);
    await empty.drop();
  });

  it('with --every makes one dump after the other, completes the last when it is told to end, and leaves other files alone', async () => {
    const series = join(folder, 'series');
    const dumps = () =>
      existsSync(series) ? readdirSync(series).filter((name) => name.endsWith('.dump')) : [];
    // Waits until the test lets it go on.
    writeProgram(
      'pg_dump',
      `${PG_DUMP}touch "$TMPDIR/begun"; while [ ! -e "$TMPDIR/go" ]; do sleep 0.05; done; echo whole >"$file"`,
    );
    const child = cli.process.start('db', 'backup', 'series', '--every', '60');
    const result = resultOf(child);
    await until(() => existsSync(join(programs, 'begun')));
    writeFileSync(join(series, 'petstore-2020-01-01T00-00-00-000Z.sqlite'), 'of before');
    child.kill('SIGINT');
    writeFileSync(join(programs, 'go'), '');
    expect(await result).toMatchObject({ code: 0 });
    expect(dumps()).toEqual([expect.stringMatching(/^petstore-\d{4}-.*Z\.dump$/)]);
    expect(readdirSync(series)).toContain('petstore-2020-01-01T00-00-00-000Z.sqlite');
  });

  it('ends with its program when it is told to, and leaves nothing', async () => {
    writeProgram('pg_dump', `${PG_DUMP}echo half >"$file"; touch "$TMPDIR/begun"; exec sleep 600`);
    const child = cli.process.start('db', 'backup', 'shop.dump');
    const result = resultOf(child);
    await until(() => existsSync(join(programs, 'begun')));
    child.kill('SIGINT');
    expect(await result).toMatchObject({ code: 1, stdout: '' });
    expect(readdirSync(folder)).toEqual([]);
  });
});
