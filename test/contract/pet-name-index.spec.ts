import { type DataSource, TableColumn } from 'typeorm';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/databases/databases';
import { incompressible } from '../support/samples/long-texts';
import { databaseSettings } from '../support/databases/sample-database';
import { createDataSource } from '../../src/platform/database/driver/data-source';
import { inspectDatabase } from '../../src/admin/database/inspect-database';
import { migrate, revert } from '../../src/platform/database/schema/migrate';
import { missingTextIndexes } from '../../src/platform/database/statements/text-index';

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

  const add = (name: string) =>
    dataSource.query(`INSERT INTO "pets" ("name", "category_id") VALUES ('${name}', 1)`);

  /** Takes migrations back up to and including that of a name. */
  async function revertTo(name: string): Promise<void> {
    for (let reverted = ''; !reverted.startsWith(name);) reverted = (await revert(dataSource)) ?? name;
  }

  async function problems(): Promise<string[]> {
    return (await inspectDatabase(dataSource, 'quick')).flatMap((inspection) => inspection.problems);
  }

  it('is created over long names that an earlier version stored without an index', async () => {
    await revertTo('AddTimesToPets');
    await add(incompressible(100_000));
    await migrate(dataSource);
    await add(incompressible(100_000));
    expect(await problems()).toEqual([]);
  });

  it('accepts long names where an earlier version made it of whole names', async () => {
    await revertTo('IndexBeginningsOfPetNames');
    await dataSource.query('DROP INDEX "idx_pets_name_id"');
    await dataSource.query('CREATE INDEX "idx_pets_name_id" ON "pets" ("name", "id")');
    await add('Rex');
    await migrate(dataSource);
    await add(incompressible(100_000));
    expect(await problems()).toEqual([]);
  });

  it('sorts by code points, even where an earlier version made it in the order of the locale', async () => {
    await revertTo('SortPetNamesByCodePoints');
    await dataSource.query('DROP INDEX "idx_pets_name_id"');
    const name = engine === 'postgres' ? 'left("name", 500)' : '"name"';
    await dataSource.query(`CREATE INDEX "idx_pets_name_id" ON "pets" (${name}, "id")`);
    const ofPets = (await missingTextIndexes(dataSource)).filter((sql) => sql.includes('"pets"'));
    expect(ofPets).toHaveLength(engine === 'postgres' ? 1 : 0);
    await migrate(dataSource);
    expect(await problems()).toEqual([]);
  });

  it('stays unchanged when an operator has made it already, and when its migration is reverted', async () => {
    const identity = async () => {
      const rows: { id: unknown }[] = await dataSource.query(
        engine === 'postgres'
          ? `SELECT '"idx_pets_name_id"'::regclass::oid::text AS id`
          : `SELECT rootpage AS id FROM sqlite_master WHERE name = 'idx_pets_name_id'`,
      );
      return rows[0]?.id;
    };
    const before = await identity();
    expect(before).toBeTruthy();
    await revertTo('IndexBeginningsOfPetNames');
    await add(incompressible(100_000));
    await migrate(dataSource);
    expect(await identity()).toBe(before);
  });

  it('survives a migration for which TypeORM rebuilds the table on SQLite', async () => {
    const runner = dataSource.createQueryRunner();
    await runner.addColumn('pets', new TableColumn({ name: 'nickname', type: 'text', isNullable: true }));
    await runner.release();
    expect(await missingTextIndexes(dataSource)).toEqual([]);
  });

  it.each([
    ['it is missing', undefined],
    ['it covers something else', 'CREATE INDEX "idx_pets_name_id" ON "pets" ("category_id", "id")'],
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
