import type { DataSource } from 'typeorm';
import {
  createTestDatabase,
  describeEachEngine,
  type TestDatabase,
} from '../../../../test/support/databases/databases';
import { databaseSettings } from '../../../../test/support/databases/sample-database';
import { Database } from '../database';
import { createDataSource } from '../driver/data-source';
import { copyColumn } from './copy-column';

const COPY = { table: 'copied_rows', from: 'old', to: 'new' };

describeEachEngine('A copied column', (engine) => {
  let testDatabase: TestDatabase;
  let dataSource: DataSource;
  let database: Database;

  beforeAll(async () => {
    testDatabase = await createTestDatabase(engine);
    dataSource = await createDataSource(databaseSettings(testDatabase.url)).initialize();
    database = new Database(dataSource);
    await dataSource.query('CREATE TABLE "copied_rows" ("id" bigint PRIMARY KEY, "old" text, "new" text)');
  });
  afterAll(async () => {
    await database.onApplicationShutdown();
    await dataSource.destroy();
    await testDatabase.drop();
  });
  beforeEach(() => dataSource.query('DELETE FROM "copied_rows"'));

  async function rows(): Promise<(string | null)[][]> {
    const found = (await dataSource.query(
      'SELECT CAST("id" AS text) AS "id", "old", "new" FROM "copied_rows" ORDER BY "copied_rows"."id"',
    )) as Record<'id' | 'old' | 'new', string | null>[];
    return found.map(({ id, old, new: next }) => [id, old, next]);
  }

  it('is the same in every row, whatever was in it', async () => {
    await dataSource.query(
      `INSERT INTO "copied_rows" VALUES (-3, 'a', NULL), (1, 'b', 'c'), (2, NULL, 'd'), (9223372036854775807, 'e', NULL)`,
    );
    await copyColumn(database, COPY);
    expect(await rows()).toEqual([
      ['-3', 'a', 'a'],
      ['1', 'b', 'b'],
      ['2', null, null],
      ['9223372036854775807', 'e', 'e'],
    ]);
  });

  it('is copied in batches, of which none has more than 1,000 rows', async () => {
    const values = Array.from({ length: 2_345 }, (_, index) => `(${3 * index}, 'x', NULL)`).join();
    await dataSource.query(`INSERT INTO "copied_rows" VALUES ${values}`);
    const query = jest.spyOn(dataSource, 'query');
    await copyColumn(database, COPY);
    const updates = query.mock.calls.map(([sql]) => sql).filter((sql) => sql.startsWith('UPDATE'));
    query.mockRestore();
    expect(updates).toHaveLength(3);
    expect((await rows()).filter(([, , next]) => next !== 'x')).toEqual([]);
  });

  it('is left alone where there are no rows', async () => {
    await copyColumn(database, COPY);
    expect(await rows()).toEqual([]);
  });
});
