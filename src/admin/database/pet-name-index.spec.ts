import { type DataSource, TableColumn } from 'typeorm';
import {
  createTestDatabase,
  describeEachEngine,
  type TestDatabase,
} from '../../../test/support/databases/databases';
import { incompressible } from '../../../test/support/samples/long-texts';
import { databaseSettings } from '../../../test/support/databases/sample-database';
import { loadSettings } from '../../platform/config/load-settings';
import { createDataSource } from '../../platform/database/driver/data-source';
import { inspectDatabase } from './inspect-database';
import { migrate } from '../../platform/database/schema/migrate';
import { missingTextIndexes } from '../../platform/database/statements/text-index';

/** In that of the locale of the database. */
const IN_ANOTHER_ORDER: [string, string] = [
  'it has another order',
  'CREATE INDEX "idx_pets_name_id" ON "pets" (left("name", 500), "id")',
];

describeEachEngine('The index on names of pets', (engine) => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createTestDatabase(engine);
    dataSource = await createDataSource(databaseSettings(database.url)).initialize();
    await migrate(dataSource);
  });
  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  async function problems(): Promise<string[]> {
    const context = {
      settings: loadSettings({}),
      isDeep: false,
      database: () => Promise.resolve(dataSource),
    };
    return (await inspectDatabase(context)).flatMap((inspection) => inspection.problems);
  }

  it('accepts names of any length', async () => {
    const name = incompressible(100_000);
    await dataSource.query(`INSERT INTO "pets" ("name", "category_id") VALUES ('${name}', 1)`);
    expect(await problems()).toEqual([]);
  });

  it('survives a migration for which TypeORM rebuilds the table on SQLite', async () => {
    const runner = dataSource.createQueryRunner();
    await runner.addColumn(
      'pets',
      new TableColumn({ name: 'added_by_test', type: 'text', isNullable: true }),
    );
    await runner.release();
    expect(await missingTextIndexes(dataSource)).toEqual([]);
  });

  it.each<[string, string | undefined]>([
    ['it is missing', undefined],
    ['it covers something else', 'CREATE INDEX "idx_pets_name_id" ON "pets" ("category_id", "id")'],
    ...(engine === 'postgres' ? [IN_ANOTHER_ORDER] : []),
  ])('is reported when %s', async (_title, instead) => {
    await dataSource.query('DROP INDEX "idx_pets_name_id"');
    if (instead !== undefined) await dataSource.query(instead);
    expect(await problems()).toEqual([
      expect.stringMatching(
        /^The tables differ from the entities; missing: CREATE INDEX .*"idx_pets_name_id"/,
      ),
    ]);
  });
});
