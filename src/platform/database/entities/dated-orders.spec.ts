import { describeEachEngine } from '../../../../test/support/databases/databases';
import { openSampleDatabase, type SampleDatabase } from '../../../../test/support/databases/sample-database';
import { Visit } from '../../../../test/support/samples/dated-samples';
import { EntityRepository } from './entity-repository';

const ROWS = 23;

describeEachEngine('A list in the order of a time that the database has set', (engine) => {
  let samples: SampleDatabase;
  let table: EntityRepository<Visit>;

  beforeAll(async () => {
    samples = await openSampleDatabase(engine);
    table = new EntityRepository(samples.database, Visit);
    // Each row has the time of its own statement.
    for (let row = 0; row < ROWS; row++)
      await samples.dataSource.query('INSERT INTO "visits" DEFAULT VALUES');
  });
  afterAll(() => samples.close());

  async function walk(by: 'begunAt' | 'changedAt', descending: boolean): Promise<bigint[]> {
    const seen: bigint[] = [];
    let cursor: string | undefined;
    do {
      const { items, next } = await table.findPage({ limit: 3, cursor }, {}, { by, descending });
      seen.push(...items.map(({ id }) => id));
      cursor = next;
    } while (cursor !== undefined && seen.length <= ROWS);
    return seen;
  }

  it.each(['begunAt', 'changedAt'] as const)('has every row once: by %s', async (by) => {
    const ids = Array.from({ length: ROWS }, (_, place) => BigInt(place + 1));
    expect(await walk(by, false)).toEqual(ids);
    expect(await walk(by, true)).toEqual(ids.toReversed());
  });

  if (engine === 'postgres') {
    it('has every row once also with times that another writer has stored without an end', async () => {
      await samples.dataSource.query(
        `UPDATE "visits" SET "begun_at" = CASE WHEN "id" < 8 THEN '-infinity' ELSE 'infinity' END::timestamptz
          WHERE "id" < 8 OR "id" > 15`,
      );
      const ids = Array.from({ length: ROWS }, (_, place) => BigInt(place + 1));
      expect(await walk('begunAt', false)).toEqual(ids);
      expect(await walk('begunAt', true)).toEqual(ids.toReversed());
    });
  }
});
