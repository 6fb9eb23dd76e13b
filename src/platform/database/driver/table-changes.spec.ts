import { type DataSource, type QueryRunner, Table } from 'typeorm';
import {
  createTestDatabase,
  describeEachEngine,
  type TestDatabase,
} from '../../../../test/support/databases/databases';
import { databaseSettings } from '../../../../test/support/databases/sample-database';
import { createDataSource } from './data-source';
import { replaceCheck, setNullable } from './table-changes';

describeEachEngine('A table with rows', (engine) => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let runner: QueryRunner;

  beforeEach(async () => {
    database = await createTestDatabase(engine);
    dataSource = await createDataSource(databaseSettings(database.url)).initialize();
    runner = dataSource.createQueryRunner();
    const columns = [
      { name: 'id', type: 'integer', isPrimary: true },
      { name: 'name', type: 'text' },
    ];
    await runner.createTable(new Table({ name: 'toys', columns }));
    await runner.query(`INSERT INTO toys (id, name) VALUES (1, 'ball')`);
  });
  afterEach(async () => {
    await runner.release();
    await dataSource.destroy();
    await database.drop();
  });

  const add = (id: number, name: string) =>
    runner.query(`INSERT INTO toys (id, name) VALUES (${id}, ${name})`);
  const names = async () =>
    ((await runner.query('SELECT name FROM toys ORDER BY id')) as { name: string | null }[]).map(
      ({ name }) => name,
    );

  it('gets a check, then another in its place, then none', async () => {
    const name = 'chk_toys_name';
    await replaceCheck(runner, 'toys', { name, expression: `"name" <> 'cube'` });
    await expect(add(2, `'cube'`)).rejects.toThrow(name);
    await replaceCheck(runner, 'toys', { name, expression: `"name" <> 'doll'` });
    await add(2, `'cube'`);
    await expect(add(3, `'doll'`)).rejects.toThrow(name);
    await replaceCheck(runner, 'toys', { name, expression: undefined });
    await add(3, `'doll'`);
    expect(await names()).toEqual(['ball', 'cube', 'doll']);
  });

  it('lets a column hold null, and no longer', async () => {
    await setNullable(runner, 'toys', 'name', true);
    await add(2, 'NULL');
    expect(await names()).toEqual(['ball', null]);
    await runner.query('DELETE FROM toys WHERE id = 2');
    await setNullable(runner, 'toys', 'name', false);
    await expect(add(2, 'NULL')).rejects.toThrow('name');
    expect(await names()).toEqual(['ball']);
  });
});
