import { describeLocation } from '../../../src/platform/database/driver/database-url';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../../support/databases/databases';
import { CliInProcess } from '../../cli/support/cli-in-process';
import { CliProcess } from '../../cli/support/cli-process';
import { execute } from '../../cli/support/execute';

interface Status {
  isCurrent: boolean;
  migrations: { name: string; status: string }[];
}

describeEachEngine('petstore db', (engine) => {
  let database: TestDatabase;
  let cli: CliInProcess;

  const names = async () => (await cli.json<Status>('db', 'status')).migrations.map(({ name }) => name);

  beforeEach(async () => {
    database = await createTestDatabase(engine);
    cli = new CliInProcess({ DATABASE_URL: database.url });
  });
  afterEach(() => database.drop());

  it('lists pending migrations, applies them, and has nothing to do the second time', async () => {
    const before = await cli.json<Status>('db', 'status');
    expect(before.isCurrent).toBe(false);
    expect(new Set(before.migrations.map(({ status }) => status))).toEqual(new Set(['pending']));

    const { code, stdout, stderr } = await cli.process.run('db', 'migrate', '--json');
    const applied = before.migrations.map(({ name }) => name);
    expect({ code, output: JSON.parse(stdout) as unknown }).toEqual({ code: 0, output: { applied } });
    const where = describeLocation(database.url);
    expect(stderr.split('\n')).toEqual([
      ...applied.map((name) => `Applying ${name}.`),
      expect.stringMatching(new RegExp(`^${applied.length} migrations? (was|were) applied to the database`)),
      '',
    ]);

    const after = await cli.json<Status>('db', 'status');
    expect(after).toEqual({
      isCurrent: true,
      migrations: applied.map((name) => ({ name, status: 'applied' })),
    });
    expect(await cli.run('db', 'migrate', '--json')).toEqual({
      code: 0,
      stdout: `${JSON.stringify({ applied: [] }, null, 2)}\n`,
      stderr: expect.stringContaining(` ${where} `) as string,
    });
  });

  it('tells by the exit code of "status --check" whether migrations are pending', async () => {
    const check = async (...options: string[]) => (await cli.run('db', 'status', ...options)).code;
    expect([await check(), await check('--check'), await check('--check', '--json')]).toEqual([0, 4, 4]);
    await cli.run('db', 'migrate');
    expect([await check(), await check('--check')]).toEqual([0, 0]);
  });

  it('reverts the newest migration with --yes, and says when there is none', async () => {
    await cli.run('db', 'migrate');
    const all = await names();
    expect(await cli.json('db', 'revert', '--yes')).toEqual({ reverted: all.at(-1) });
    expect((await cli.json<Status>('db', 'status')).migrations.at(-1)).toEqual({
      name: all.at(-1),
      status: 'pending',
    });
    for (let left = all.length - 1; left > 0; left--) await cli.run('db', 'revert', '--yes');
    const { code, stdout, stderr } = await cli.run('db', 'revert', '--yes', '--json');
    expect({ code, output: JSON.parse(stdout) as unknown, stderr }).toEqual({
      code: 0,
      output: { reverted: null },
      stderr: expect.stringContaining(` ${describeLocation(database.url)} `) as string,
    });
  });

  it('reverts nothing without --yes and without a terminal: exit code 2', async () => {
    await cli.run('db', 'migrate');
    const { code, stderr } = await cli.run('db', 'revert');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('--yes') as string,
    });
    expect((await cli.json<Status>('db', 'status')).isCurrent).toBe(true);
  });

  it('asks on a terminal, and reverts a migration only after yes', async () => {
    await cli.run('db', 'migrate');
    const newest = (await names()).at(-1) as string;

    const declined = await cli.process.runOnTerminal(['db', 'revert'], '\n');
    expect([declined.code, declined.stdout]).toEqual([4, expect.stringContaining(newest)]);
    expect((await cli.json<Status>('db', 'status')).isCurrent).toBe(true);

    const confirmed = await cli.process.runOnTerminal(['db', 'revert'], 'y\n');
    expect(confirmed.code).toBe(0);
    expect((await cli.json<Status>('db', 'status')).isCurrent).toBe(false);
  });

  it('lists migrations of a newer version as unknown, and neither migrates nor reverts', async () => {
    await cli.run('db', 'migrate');
    await execute(
      database,
      `INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'FromTheFuture')`,
    );
    expect((await cli.json<Status>('db', 'status')).migrations).toContainEqual({
      name: 'FromTheFuture',
      status: 'unknown',
    });
    for (const command of [['migrate'], ['revert', '--yes']]) {
      const { code, stdout, stderr } = await cli.run('db', ...command);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^.* newer .*\n$/);
    }
  });

  it('refuses in one sentence to distribute tables without Citus: exit code 4', async () => {
    await cli.run('db', 'migrate');
    const sentence = {
      sqlite: 'Citus distributes tables of PostgreSQL, but this database is a SQLite file.\n',
      postgres:
        'Citus is not installed in this database: CREATE EXTENSION citus on every machine, then add the workers.\n',
    }[engine];
    for (const options of [['--plan'], ['--plan', '--json'], ['--apply', '--yes']]) {
      const { code, stdout, stderr } = await cli.run('db', 'distribute', ...options);
      expect({ code, stdout, stderr }).toEqual({ code: 4, stdout: '', stderr: sentence });
    }
    for (const options of [[], ['--plan', '--apply'], ['--apply']]) {
      expect((await cli.run('db', 'distribute', ...options)).code).toBe(2);
    }
  });

  it('lists the migrations as lines without --json', async () => {
    await cli.run('db', 'migrate');
    const { stdout } = await cli.run('db', 'status');
    expect(stdout.split('\n')[0]).toBe('MIGRATION\tSTATUS');
    expect(stdout).toMatch(/^CreateSchema\d+\tapplied$/m);
  });
});

describe('A database that is away or damaged', () => {
  const COMMANDS = [
    ['keys', 'list'],
    ['db', 'status'],
    ['db', 'migrate'],
    ['seed', '--count', '1'],
  ];

  it.each(COMMANDS)(
    'is reported in one sentence without the password, exit code 1: %s %s',
    async (...command) => {
      const away = 'postgres://petstore:s3cret@127.0.0.1:1/petstore';
      const { code, stdout, stderr } = await new CliInProcess({ DATABASE_URL: away }).run(...command);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/127\.0\.0\.1:1.*\n$/);
      expect(stderr).not.toContain('s3cret');
    },
  );

  it('ends the process with exit code 1 when it is away', async () => {
    const away = 'postgres://petstore@127.0.0.1:1/petstore';
    const { code, stdout } = await new CliProcess({ DATABASE_URL: away }).run('keys', 'list');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  it('is reported in one sentence when the SQLite file is a folder', async () => {
    const cli = new CliInProcess();
    const { code, stderr } = await cli.with({ DATABASE_URL: `sqlite:${cli.folder}` }).run('keys', 'list');
    expect([code, stderr]).toEqual([1, expect.stringContaining(` ${cli.folder} `)]);
  });
});
