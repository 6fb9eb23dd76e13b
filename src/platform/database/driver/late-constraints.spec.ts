import {
  type DataSource,
  type MigrationInterface,
  Table,
  TableCheck,
  TableForeignKey,
  TableIndex,
  TableUnique,
} from 'typeorm';
import {
  createTestDatabase,
  describeEachEngine,
  type TestDatabase,
} from '../../../../test/support/databases/databases';
import { databaseSettings } from '../../../../test/support/databases/sample-database';
import { migrate } from '../schema/migrate';
import { findMigrationProblems } from '../schema/migration-problems';
import { createDataSource } from './data-source';
import {
  addCheck,
  addCheckedColumn,
  addForeignKey,
  addIndex,
  addIndexConcurrently,
  addUnique,
} from './late-constraints';

const CREATION: MigrationInterface = {
  name: 'CreateToys1790000000000',
  async up(queryRunner) {
    const id = { name: 'id', type: 'integer', isPrimary: true } as const;
    await queryRunner.createTable(new Table({ name: 'boxes', columns: [id] }));
    const columns = [
      id,
      { name: 'box_id', type: 'integer', isNullable: true },
      { name: 'name', type: 'text' },
    ];
    await queryRunner.createTable(new Table({ name: 'toys', columns }));
  },
  down: () => Promise.resolve(),
};

const ADDITION: MigrationInterface = {
  name: 'ConstrainToys1790000001000',
  async up(queryRunner) {
    await addCheckedColumn(
      queryRunner,
      'toys',
      '"size" integer',
      new TableCheck({ name: 'chk_toys_size', expression: '"size" > 0' }),
    );
    // Reload the table: TypeORM does not see changes made in SQL.
    await queryRunner.getTable('toys');
    await addCheck(
      queryRunner,
      'toys',
      new TableCheck({ name: 'chk_toys_name', expression: `"name" <> ''` }),
    );
    const columnNames = ['box_id'];
    const key = {
      columnNames,
      referencedTableName: 'boxes',
      referencedColumnNames: ['id'],
      onDelete: 'CASCADE',
    };
    await addForeignKey(queryRunner, 'toys', new TableForeignKey({ ...key, name: 'fk_toys_box_id' }));
    await addIndex(
      queryRunner,
      'toys',
      new TableIndex({ name: 'idx_toys_box', columnNames, where: '"size" > 1' }),
    );
    await addUnique(queryRunner, 'toys', new TableUnique({ name: 'uq_toys_name', columnNames: ['name'] }));
  },
  down: () => Promise.resolve(),
};

describeEachEngine('Constraints that a migration adds to a table with rows', (engine) => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createTestDatabase(engine);
    dataSource = createDataSource(databaseSettings(database.url, { databasePoolSize: 1 }));
    dataSource.setOptions({ entities: [], migrations: [] });
    await dataSource.initialize();
    await apply(CREATION);
    await dataSource.query(`INSERT INTO "boxes" VALUES (1)`);
    await dataSource.query(`INSERT INTO "toys" VALUES (1, 1, 'Ball'), (2, NULL, 'Bear')`);
  });
  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  async function apply(...migrations: MigrationInterface[]): Promise<string[]> {
    dataSource.migrations.push(...migrations);
    return migrate(dataSource);
  }

  const insert = (values: string) =>
    dataSource.query(`INSERT INTO "toys" ("id", "box_id", "name", "size") VALUES ${values}`);

  it('hold for new rows', async () => {
    expect(await apply(ADDITION)).toEqual([ADDITION.name]);
    await insert(`(3, 1, 'Kite', 4)`);
    for (const row of [`(4, 7, 'Doll', 1)`, `(4, 1, 'Doll', 0)`, `(4, 1, '', 1)`, `(4, 1, 'Ball', 1)`]) {
      await expect(insert(row)).rejects.toThrow(Error);
    }
  });

  if (engine === 'sqlite') return;

  it.each([
    [addIndex, 'hash'],
    [addIndexConcurrently, 'brin'],
  ] as const)('have an index of the kind that %p is told', async (add, type) => {
    const runner = dataSource.createQueryRunner();
    await add(runner, 'toys', new TableIndex({ name: 'idx_toys_name', columnNames: ['name'], type }));
    await runner.release();
    const [{ method }] = await dataSource.query<[{ method: string }]>(
      `SELECT amname AS method FROM pg_am JOIN pg_class ON relam = pg_am.oid WHERE relname = 'idx_toys_name'`,
    );
    expect(method).toBe(type);
  });

  const unchecked = async () => {
    const found = await dataSource.query<{ name: string }[]>(
      'SELECT conname AS name FROM pg_constraint WHERE NOT convalidated ORDER BY 1',
    );
    return found.map(({ name }) => name);
  };

  it('are checked for older rows afterwards', async () => {
    await apply(ADDITION);
    expect(await unchecked()).toEqual([]);
  });

  it('stay unchecked when older rows break them, as those do that were unchecked before', async () => {
    await dataSource.query(`ALTER TABLE "boxes" ADD CONSTRAINT "chk_boxes_id" CHECK ("id" > 0) NOT VALID`);
    await dataSource.query(`UPDATE "toys" SET "box_id" = 9, "name" = '' WHERE "id" = 2`);
    expect(await apply(ADDITION)).toEqual([ADDITION.name]);
    expect(await unchecked()).toEqual(['chk_boxes_id', 'chk_toys_name', 'fk_toys_box_id']);
  });

  it('keep no writers of many rows waiting: an index is to be made by hand before, and the migration says how', async () => {
    await dataSource.query(
      `INSERT INTO "toys" SELECT n, NULL, 'toy ' || n FROM generate_series(3, 300001) AS n`,
    );
    const index = new TableIndex({ name: 'idx_toys_name', columnNames: ['name'] });
    const migration: MigrationInterface = {
      name: 'IndexToys1790000002000',
      up: (runner) => addIndex(runner, 'toys', index),
      down: () => Promise.resolve(),
    };
    const refusal = (await apply(migration).catch((error: unknown) => error)) as Error;
    const problems = await findMigrationProblems(dataSource, ['IndexToys1790000002000']);
    const { problem, advice } = problems.get('IndexToys1790000002000') ?? {};
    for (const text of [refusal.message, problem]) expect(text).toContain('toys has more than 300000 rows');
    expect(advice).toBe('Make the index by that statement while the service runs, then migrate again.');
    const [statement = ''] = /CREATE INDEX CONCURRENTLY .*?;/.exec(refusal.message) ?? [];
    await dataSource.query(statement);
    expect(await migrate(dataSource)).toEqual(['IndexToys1790000002000']);
  });

  it('take over indexes that were made by hand', async () => {
    await dataSource.query('CREATE UNIQUE INDEX CONCURRENTLY "uq_toys_name" ON "toys" ("name")');
    await dataSource.query('CREATE INDEX CONCURRENTLY "idx_toys_box" ON "toys" ("box_id")');
    expect(await apply(ADDITION)).toEqual([ADDITION.name]);
  });

  it('say that an index on a new column of many rows is for a migration of its own', async () => {
    await dataSource.query(
      `INSERT INTO "toys" SELECT n, NULL, 'toy ' || n FROM generate_series(3, 300001) AS n`,
    );
    const index = new TableIndex({ name: 'idx_toys_nickname', columnNames: ['nickname', 'id'] });
    const migration: MigrationInterface = {
      name: 'NicknameToys1790000002000',
      async up(runner) {
        await runner.query('ALTER TABLE "toys" ADD COLUMN "nickname" text');
        await addIndex(runner, 'toys', index);
      },
      down: () => Promise.resolve(),
    };
    const refusal = (await apply(migration).catch((error: unknown) => error)) as Error;
    expect(refusal.message).toContain('a migration of its own, with addIndexConcurrently()');
    expect(refusal.message).not.toContain('CREATE INDEX');
  });

  it('have no index that was left invalid: it is made anew', async () => {
    await dataSource.query(`INSERT INTO "toys" VALUES (3, NULL, 'Ball')`);
    const making = dataSource.query('CREATE UNIQUE INDEX CONCURRENTLY "idx_toys_name" ON "toys" ("name")');
    await expect(making).rejects.toThrow('idx_toys_name');
    const index = new TableIndex({ name: 'idx_toys_name', columnNames: ['name'] });
    const runner = dataSource.createQueryRunner();
    await addIndex(runner, 'toys', index);
    await runner.release();
    const [found] = await dataSource.query<{ indisvalid: boolean; indisunique: boolean }[]>(
      `SELECT indisvalid, indisunique FROM pg_index WHERE indexrelid = '"idx_toys_name"'::regclass`,
    );
    expect(found).toEqual({ indisvalid: true, indisunique: false });
  });
});
