import { PETS_ADMIN } from '../../pets/pets.admin';
import { PetsService } from '../../pets/pets.service';
import { Database } from '../../platform/database/database';
import { runSql } from '../../../test/contract/support/sql';
import { describeEachEngine } from '../../../test/support/databases/databases';
import { incompressible } from '../../../test/support/samples/long-texts';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { positionOf, type RecordPosition } from './list-request';
import { RecordsService } from './records.service';

const PAGE = 100;

describeEachEngine('Records with texts of any length', (engine) => {
  let service: TestService;
  let records: RecordsService;
  let dataSource: Database['dataSource'];

  beforeAll(async () => {
    service = await startTestService(engine);
    records = service.app.get(RecordsService, { strict: false });
    ({ dataSource } = service.app.get(Database));
  });
  afterAll(() => service.stop());

  /** Names in the order of a list's pages. */
  async function namesByPage(descending: boolean, part: string): Promise<unknown[]> {
    const order = { by: 'name', descending };
    const found: unknown[] = [];
    for (let after: RecordPosition | undefined; ;) {
      const page = await records.search(PETS_ADMIN, {
        filter: { where: { name: { contains: part } } },
        order,
        after,
        limit: PAGE,
      });
      found.push(...page.map(({ values }) => `${String(values.name)} ${values.id}`));
      const last = page.at(-1);
      if (!last || page.length < PAGE) return found;
      after = positionOf(last, order);
    }
  }

  it('appear once in a list sorted by name, however long a beginning their names share', async () => {
    const same = `same ${incompressible(1_000)}`;
    const names = Array.from(
      { length: 1_500 },
      (_, index) => `${same}${'🐢'.repeat(index % 500)}${index % 7}`,
    );
    const others = ['same', same, same.slice(0, 499), same.slice(0, 500), `same ${incompressible(50_000)}`];
    const created = await service.app
      .get(PetsService, { strict: false })
      .createMany([...names, ...others].map((name) => ({ name, categoryId: 1n })));
    const expected = created
      .toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)) || Number(a.id - b.id))
      .map(({ name, id }) => `${name} ${id}`);
    expect(await namesByPage(false, 'same')).toEqual(expected);
    expect(await namesByPage(true, 'same')).toEqual(expected.toReversed());
  });

  it.each(['name', 'categoryId'])(
    'are read from the index on %s, starting at the position of the page',
    async (by) => {
      await runSql(
        service.database,
        `INSERT INTO pets (name, category_id) WITH RECURSIVE n(i) AS
         (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT 'pet ' || (i % 9973), i % 5003 FROM n`,
      );
      await runSql(service.database, 'ANALYZE');
      const value = by === 'name' ? 'pet 5' : 2_500n;
      for (const descending of [false, true]) {
        const query = jest.spyOn(dataSource.logger, 'logQuery');
        await records.search(PETS_ADMIN, { order: { by, descending }, after: { value, id: 7n }, limit: 51 });
        const calls = query.mock.calls.filter(([text]) => /\bpets\b.*ORDER BY/s.test(text));
        query.mockRestore();
        // The window of rows is a part of the list, and only its rows are sorted again.
        const plans = await Promise.all(calls.map(([sql, values]) => planOf(sql, values as unknown[])));
        const [plan = ''] = plans;
        if (engine === 'sqlite') {
          const places = plans.map(
            (each) => /SEARCH row USING (?:COVERING )?INDEX idx_pets_\w+_id \((.*)\)/.exec(each)?.[1],
          );
          const column = by === 'name' ? 'name' : 'category_id';
          const beyond = descending ? '<' : '>';
          expect([...new Set(places)]).toEqual([`${column}=? AND id${beyond}?`, `${column}${beyond}?`]);
          for (const each of plans)
            expect(each.slice(0, each.indexOf('SCAN row'))).not.toContain('TEMP B-TREE');
        } else {
          expect(plan).toMatch(/Index Scan (Backward )?using idx_pets_\w+_id on pets/);
          expect(plan).toContain('Index Cond: ');
          const part = plan.slice(plan.indexOf('Subquery Scan on "row"'));
          expect(part.replace('Incremental Sort', '')).not.toMatch(/\bSort  \(/);
        }
      }
    },
  );

  async function planOf(sql: string, values: unknown[]): Promise<string> {
    const explain = engine === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
    const rows: Record<string, string>[] = await dataSource.query(`${explain} ${sql}`, values);
    return rows.map((row) => row.detail ?? row['QUERY PLAN']).join('\n');
  }
});
