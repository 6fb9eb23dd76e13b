import { describeEachEngine } from '../../../../test/support/databases/databases';
import { openSampleDatabase, type SampleDatabase } from '../../../../test/support/databases/sample-database';
import { findMissingColumns } from './missing-columns';

describeEachEngine('findMissingColumns', (engine) => {
  let sample: SampleDatabase;
  beforeEach(async () => {
    sample = await openSampleDatabase(engine);
  });
  afterEach(() => sample.close());

  async function missingAfter(...statements: string[]): Promise<string[]> {
    const runner = sample.dataSource.createQueryRunner();
    try {
      for (const statement of statements) await runner.query(statement);
      return await findMissingColumns(sample.dataSource, runner);
    } finally {
      await runner.release();
    }
  }

  it('finds nothing when all columns exist, and additional ones too', async () => {
    expect(await missingAfter('ALTER TABLE parts ADD COLUMN colour text')).toEqual([]);
  });

  it('finds missing tables and columns, in order', async () => {
    const gone = await missingAfter('DROP TABLE spans', 'ALTER TABLE parts RENAME COLUMN line2 TO line3');
    expect(gone).toEqual(['parts.line2', 'spans']);
  });

  it('ignores a retired column, which the next version drops', async () => {
    expect(await missingAfter('ALTER TABLE parts DROP COLUMN grade')).toEqual([]);
  });
});
