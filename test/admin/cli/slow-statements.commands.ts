import { hostname } from 'node:os';
import { DataSource } from 'typeorm';
import type { CommandGroup } from '../../../src/platform/cli/cli';
import type { TimelineView } from '../../../src/platform/tracing/timeline';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../../support/databases/databases';
import { until } from '../../support/until';
import { CliInProcess } from '../../cli/support/cli-in-process';

/** Statements that take longer than 200 ms. */
const SLOW = {
  sqlite:
    'WITH RECURSIVE "n"("i") AS (SELECT 1 UNION ALL SELECT "i" + 1 FROM "n" WHERE "i" < 3000000) SELECT MAX("i") AS "last" FROM "n"',
  postgres: 'SELECT pg_sleep(0.3) AS "last"',
};

const REFUSE_WRITES = {
  sqlite: 'PRAGMA query_only = ON',
  postgres: 'SET default_transaction_read_only = on',
};

describeEachEngine('A command with a slow statement', (engine) => {
  const slow = (dataSource: DataSource) => dataSource.query(SLOW[engine]);
  const addFarmCommands: CommandGroup = (program, cli) => {
    const farm = program.command('farm');
    const run = async (app: { get(type: typeof DataSource): DataSource }) => {
      await slow(app.get(DataSource));
      cli.output.message('Done.');
    };
    farm
      .command('till')
      .argument('<field>')
      .action(() => cli.withApp(run));
    farm.command('look').action(() => cli.withApp(run, {}, { changesNothing: true }));
    farm.command('open').action(() => cli.withDatabase(slow, { mayCreate: true }));
    farm.command('fail').action(() =>
      cli.withApp(async (app) => {
        await run(app);
        throw new Error('It rains.');
      }),
    );
    farm.command('lock').action(() =>
      cli.withApp(async (app) => {
        await run(app);
        await app.get(DataSource).query(REFUSE_WRITES[engine]);
      }),
    );
  };

  let database: TestDatabase;
  let cli: CliInProcess;
  beforeEach(async () => {
    database = await createTestDatabase(engine);
    cli = new CliInProcess({ DATABASE_URL: database.url });
    cli.commands = [addFarmCommands];
  });
  afterEach(() => database.drop());

  // On a slow machine a migration is a slow statement, too.
  const migrate = () => cli.with({ REQUEST_LOG_DAYS: '0' }).run('db', 'migrate');
  /** The commands of the farm that are kept, and those that list requests: on a slow machine others may be slow as well. */
  const kept = async () => {
    const { items } = await cli.json<{ items: { route: string }[] }>('requests', 'list');
    return items.filter(({ route }) => /^farm |^requests /.test(route));
  };

  it('is kept in the request log with its name and statements, but without its arguments', async () => {
    await migrate();
    expect(await cli.run('farm', 'till', 'rosebud')).toMatchObject({ code: 0 });
    const words = ['--operation', 'petstore farm till'];
    const { items } = await cli.json<{ items: { requestId: string }[] }>('requests', 'list', ...words);
    expect(items).toMatchObject([
      { method: 'petstore', route: 'farm till', outcome: 'succeeded', status: null, node: hostname() },
    ]);
    const shown = await cli.json<{ items: { timeline: TimelineView }[] }>(
      ...['requests', 'show', items[0]?.requestId ?? ''],
    );
    expect(JSON.stringify(shown)).not.toContain('rosebud');
    const [{ timeline } = { timeline: undefined }] = shown.items;
    expect(timeline?.phases).toMatchObject([{ name: 'command' }]);
    expect(timeline?.statements.filter(({ text }) => text.includes('"last"'))).toMatchObject([
      {
        text: expect.stringContaining('"last"') as string,
        count: 1,
        place: expect.stringMatching(/^test\/admin\/cli\/slow-statements\.commands\.ts:\d+$/) as string,
      },
    ]);
  });

  it('is kept as failed when it fails, with the same error', async () => {
    await migrate();
    expect(await cli.run('farm', 'fail')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('It rains.') as string,
    });
    expect(await kept()).toMatchObject([{ route: 'farm fail', outcome: 'failed' }]);
  });

  it('is not kept in a dry run, or when no requests are kept', async () => {
    await migrate();
    await cli.run('farm', 'look');
    const off = cli.with({ REQUEST_LOG_DAYS: '0' });
    off.commands = cli.commands;
    await off.run('farm', 'till', 'rosebud');
    expect(await kept()).toEqual([]);
  });

  it('does its work even when the request log cannot be written', async () => {
    expect(await cli.run('farm', 'open')).toMatchObject({ code: 0 });
    await migrate();
    expect(await cli.run('farm', 'lock')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Done\.\nDatabase: .*\n$/) as unknown,
    });
    expect(await kept()).toEqual([]);
  });

  if (engine === 'postgres') {
    it('is not kept when it reads the request log', async () => {
      await migrate();
      const other = await new DataSource({ type: 'postgres', url: database.url }).initialize();
      const runner = other.createQueryRunner();
      await runner.query('BEGIN; LOCK TABLE request_log IN ACCESS EXCLUSIVE MODE');
      const listing = cli.run('requests', 'list');
      const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'request_log'::regclass`;
      await until(async () => (await other.query<unknown[]>(waiting)).length > 0);
      await runner.query('SELECT pg_sleep(0.3); COMMIT');
      expect(await listing).toMatchObject({ code: 0 });
      await other.destroy();
      expect(await kept()).toEqual([]);
    });
  }
});
