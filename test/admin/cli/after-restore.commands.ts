import { createTestDatabase, describeOneEngine, type TestDatabase } from '../../support/databases/databases';
import { CliInProcess } from '../../cli/support/cli-in-process';

interface Table {
  readonly table: string;
  readonly nextId: number;
}

interface Made {
  readonly id: number;
}

const CREATE = ['pets', 'create', '--category-id', '3', '--status', 'available', '--name'];

describeOneEngine('petstore db after-restore', (engine) => {
  let database: TestDatabase;
  let cli: CliInProcess;

  beforeEach(async () => {
    database = await createTestDatabase(engine);
    cli = new CliInProcess({ DATABASE_URL: database.url });
    await cli.run('db', 'migrate');
  });
  afterEach(() => database.drop());

  it('skips the ids that rows added after the backup may have had, in tables with rows and without', async () => {
    expect((await cli.json<Made>(...CREATE, 'Rex')).id).toBe(1);
    const tables = await cli.json<Table[]>('db', 'after-restore', '--skip-ids', '1000');
    expect(tables).toContainEqual({ table: 'pets', nextId: 1_002 });
    expect(tables.length).toBeGreaterThan(1);
    expect(tables.filter(({ nextId }) => nextId <= 1_000)).toEqual([]);
    expect((await cli.json<Made>(...CREATE, 'Tom')).id).toBe(1_002);

    await cli.run('db', 'after-restore', '--skip-ids', '1000');
    expect((await cli.json<Made>(...CREATE, 'Kim')).id).toBe(2_003);
  });

  it('requires the number of ids, and changes nothing without it: exit code 2', async () => {
    for (const options of [[], ['--skip-ids', '0'], ['--skip-ids', '-1'], ['--skip-ids', 'many']]) {
      expect(await cli.run('db', 'after-restore', ...options)).toMatchObject({ code: 2, stdout: '' });
    }
    expect((await cli.json<Made>(...CREATE, 'Rex')).id).toBe(1);
  });
});
