import { openSampleDatabase, type SampleDatabase } from '../../../../test/support/databases/sample-database';
import { ServiceUnavailableError } from '../../errors/http-errors';
import { sqliteOf } from './data-source';

describe('A transaction on SQLite that meets a full disk', () => {
  let samples: SampleDatabase;

  beforeEach(async () => {
    samples = await openSampleDatabase('sqlite');
  });
  afterEach(() => samples.close());

  it('is 503 and is rolled back, so that later writes are committed', async () => {
    const sqlite = sqliteOf(samples.dataSource);
    const insertBig = () => samples.database.transaction(() => samples.insert('x'.repeat(100_000)));
    const pages = sqlite.pragma('page_count', { simple: true }) as bigint;
    const limit = sqlite.pragma('max_page_count', { simple: true }) as bigint;
    sqlite.pragma(`max_page_count = ${pages}`);
    await expect(insertBig()).rejects.toMatchObject({
      constructor: ServiceUnavailableError,
      cause: { driverError: { code: 'SQLITE_FULL' } },
    });
    sqlite.pragma(`max_page_count = ${limit}`);

    const refused = samples.database.transaction(() => Promise.reject(new Error('refused')));
    await expect(refused).rejects.toThrow('refused');
    expect(sqlite.inTransaction).toBe(false);

    await samples.insert('alone');
    await samples.database.transaction(() => samples.insert('in a transaction'));
    const other = await samples.another();
    expect(await other.query('SELECT label FROM samples ORDER BY id')).toEqual([
      { label: 'alone' },
      { label: 'in a transaction' },
    ]);
  });
});
