import { describeEachEngine, type Engine } from '../../../../test/support/databases/databases';
import { openSampleDatabase, type SampleDatabase } from '../../../../test/support/databases/sample-database';
import { Crate } from '../../../../test/support/samples/owned-samples';
import { asOwner, forAllOwners } from '../../security/owner';
import { Int64Parameter, PrefixParameter, SortParameter } from '../../validation/parameters';
import type { Where } from '../statements/where';
import { EntityRepository } from './entity-repository';

const description = 'Keeps some.';

/** Query of a list of crates. */
class CratesQuery {
  limit!: number;
  cursor?: string;
  @Int64Parameter({ description }) weight?: bigint;
  @PrefixParameter({ description, prefix: 'label' }) labelPrefix?: string;
  @SortParameter('label', 'weight') sort?: string;
}

type Asked = Partial<CratesQuery>;

const NUMBERS = {
  sqlite: (count: number) =>
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT ${count})`,
  postgres: (count: number) => `WITH numbers AS (SELECT n FROM generate_series(1, ${count}) AS n)`,
};

/** Adds crates of an owner. @param end of each label */
function cratesOf(
  engine: Engine,
  owner: string,
  count: number,
  label: string,
  weight: string,
  { isRemoved = false, end = '' } = {},
): string {
  const removedAt = isRemoved ? 'CURRENT_TIMESTAMP' : 'NULL';
  return `${NUMBERS[engine](count)} INSERT INTO crates (owner_id, label, weight, removed_at)
    SELECT '${owner}', '${label} ' || (10000 + n) || '${end}', ${weight}, ${removedAt} FROM numbers`;
}

describeEachEngine('The position of a searched list', (engine) => {
  let samples: SampleDatabase;
  let crates: EntityRepository<Crate>;

  beforeEach(async () => {
    samples = await openSampleDatabase(engine);
    crates = new EntityRepository(samples.database, Crate, CratesQuery);
  });
  afterEach(() => samples.close());

  const run = async (...statements: string[]) => {
    for (const sql of statements) await samples.dataSource.query(sql);
    if (engine === 'postgres') await samples.dataSource.query('VACUUM ANALYZE crates');
  };

  /** Reads a list to its end. */
  async function walk(asked: Asked, where: Where<Crate> = {}) {
    const rows: Crate[] = [];
    const cursors: string[] = [];
    let cursor: string | undefined;
    do {
      const request = Object.assign(new CratesQuery(), { limit: 20, ...asked, cursor });
      const page = await crates.findPage(request, where);
      rows.push(...page.items);
      cursor = page.next;
      if (cursor !== undefined) cursors.push(Buffer.from(cursor, 'base64url').toString('latin1'));
    } while (cursor !== undefined);
    return { rows, cursors };
  }

  it.each<[Asked, number]>([
    [{ sort: 'label' }, 1_200],
    [{ sort: '-label' }, 1_200],
    [{ sort: 'label', weight: 2n }, 50],
    [{ sort: '-label', weight: 2n }, 50],
    [{ sort: 'weight', labelPrefix: 'thing 111' }, 100],
    [{ sort: 'label', weight: 2n, labelPrefix: 'thing 10' }, 0],
    [{ weight: 2n }, 50],
  ])('tells no owner of the rows of others or of removed ones: %o', async (asked, count) => {
    await run(
      cratesOf(engine, 'ana', 3_500, 'secret of ana', '2'),
      cratesOf(engine, 'ben', 1_100, 'secret removed', '2', { isRemoved: true }),
      cratesOf(engine, 'ben', 1_200, 'thing', 'CASE WHEN n > 1150 THEN 2 ELSE 1 END'),
      cratesOf(engine, 'cleo', 3_500, 'zoo, secret', '2'),
    );
    const { rows, cursors } = await asOwner('ben', () => walk(asked));
    expect(new Set(rows.map(({ label }) => label)).size).toBe(count);
    expect(rows).toHaveLength(count);
    expect(cursors.filter((cursor) => cursor.includes('secret'))).toEqual([]);
  });

  it('tells nothing of rows that the service leaves out', async () => {
    await run(cratesOf(engine, 'ana', 1_500, 'a secret', '2'), cratesOf(engine, 'ana', 1_500, 'thing', '1'));
    const asked = { sort: 'label', labelPrefix: 'thing' };
    const { rows, cursors } = await forAllOwners(() => walk(asked, { weight: 1n }));
    const { rows: others, cursors: more } = await forAllOwners(() => walk({ sort: 'label' }, { weight: 1n }));
    expect([rows, others].map(({ length }) => length)).toEqual([1_500, 1_500]);
    expect([...cursors, ...more].filter((cursor) => cursor.includes('secret'))).toEqual([]);
  });

  it('can be read on from where texts are too long for a cursor', async () => {
    const end = 'x'.repeat(400);
    await run(
      cratesOf(engine, 'ana', 1_500, 'a secret', '2', { end }),
      cratesOf(engine, 'ben', 1_100, 'a secret', '2', { isRemoved: true, end: `${end}.` }),
      cratesOf(engine, 'ben', 1_200, 'thing', 'CASE WHEN n > 1150 THEN 2 ELSE 1 END', { end }),
    );
    const { rows } = await asOwner('ben', () => walk({ sort: 'label', weight: 2n }));
    expect(rows).toHaveLength(50);
  });

  it('skips no row when others remove rows between its statements', async () => {
    await run(
      cratesOf(engine, 'ana', 1_000, 'a', '1'),
      cratesOf(engine, 'ana', 15, 'b', '2'),
      cratesOf(engine, 'ana', 980, 'c', '1'),
      cratesOf(engine, 'ana', 1_500, 'd', '2', { isRemoved: true }),
      cratesOf(engine, 'ana', 1_500, 'e', '2'),
    );
    const queryReplica = samples.database.queryReplica.bind(samples.database);
    const removals = jest
      .spyOn(samples.database, 'queryReplica')
      .mockImplementation(async <Row>(...statement: Parameters<typeof queryReplica<Row>>) => {
        const rows = await queryReplica(...statement);
        const some = `SELECT id FROM crates WHERE weight = 1 ORDER BY label LIMIT 10`;
        await samples.dataSource.query(`DELETE FROM crates WHERE id IN (${some})`);
        return rows;
      });
    const { rows } = await forAllOwners(() => walk({ sort: 'label', weight: 2n }));
    expect(removals.mock.calls.length).toBeGreaterThan(1);
    expect(rows.filter(({ label }) => label.startsWith('b'))).toHaveLength(15);
  });
});
