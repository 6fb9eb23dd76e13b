import { runSql } from '../../../../test/contract/support/sql';
import { describeOneEngine } from '../../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../../test/support/service/service';
import { PETS_ADMIN } from '../../../pets/pets.admin';
import { findRecords } from '../../find/find-records';
import { type ListFacts, positionOf, type RecordPosition } from '../../records/list-request';
import { REMOVED } from '../../records/record-filters';
import { BulkChanges } from '../../records/bulk-changes.service';
import { RecordsService } from '../../records/records.service';
import { ExportService } from '../../records/transfer/export.service';
import { columnChoices } from './list/list-columns';
import { factsOf } from './list/list-facts';
import { listControls, type ListQuery, readListQuery, SORT_BY } from './list/list-query';
import { viewQuery } from './views/view-query';

/** More records than most of the tests make. */
const MOST = 50;

const TODAY = new Date().toISOString().slice(0, 10);

/** Names, statuses and categories of the pets. */
const PETS = [
  ['Rex', 'sold', 7],
  ['Rexy', 'available', 7],
  ['Luna', 'available', 8],
  ['Ben', 'pending', 8],
  ['Rex', undefined, 9],
  ['rex', 'available', 7],
] as const;

/** A text for each filter of the list, which some of the pets match. */
const FILTERS: Readonly<Record<string, string>> = {
  id: '2',
  name: 'ex',
  categoryId: '7',
  status: 'available',
  'added-from': TODAY,
  'added-to': '9999-12-31',
  'not-set': 'status',
};

/** No filter, each by itself, and conditions with an index beside others. */
const QUERIES = [
  '',
  ...Object.entries(FILTERS).map(([name, text]) => `${name}=${text}`),
  'status=available&name=ex',
  'status=available&categoryId=7',
  'categoryId=7&chosen-id=1,2,6',
];

/** The ids of the pets that are removed. */
const STATES: readonly (readonly [state: string, removed: readonly number[]])[] = [
  ['none', []],
  ['some', [2, 4, 5]],
  ['all', [1, 2, 3, 4, 5, 6]],
];

/** More pets than are read at once if an index finds them. */
const MANY = 25_000;

describeOneEngine('A list of records', (engine) => {
  let service: TestService;
  let records: RecordsService;
  let bulk: BulkChanges;
  let facts: ListFacts;

  async function start(): Promise<void> {
    service = await startTestService(engine);
    records = service.app.get(RecordsService, { strict: false });
    bulk = service.app.get(BulkChanges, { strict: false });
    facts = factsOf(records, PETS_ADMIN);
  }

  const read = (query: string): ListQuery => readListQuery(facts, new URLSearchParams(query));

  /** The ids that a list has, read in pages. */
  async function idsOf({ filter, order }: ListQuery, limit = MOST): Promise<number[]> {
    const found: number[] = [];
    for (let after: RecordPosition | undefined; ;) {
      const page = await records.searchBriefly(PETS_ADMIN, { filter, order, after, limit });
      found.push(...page.records.map(({ values }) => Number(values.id)));
      const last = page.records.at(-1);
      if (!last || page.records.length < limit) return sorted(found);
      after = positionOf(last, order);
    }
  }

  async function exported(query: ListQuery): Promise<number[]> {
    const exports = service.app.get(ExportService, { strict: false });
    const ids: number[] = [];
    for await (const text of exports.read(PETS_ADMIN, 'ndjson', query)) {
      ids.push(...[...text.matchAll(/^\{"id":(\d+)/gm)].map(([, id]) => Number(id)));
    }
    return sorted(ids);
  }

  describe.each(STATES)('of which %s are removed', (state, removed) => {
    /** The ids that each query matches while none is removed. */
    const matching = new Map<string, number[]>();

    beforeAll(async () => {
      await start();
      for (const [name, status, categoryId] of PETS) {
        await records.create(PETS_ADMIN, { name, categoryId: BigInt(categoryId), ...(status && { status }) });
      }
      for (const query of QUERIES) matching.set(query, await idsOf(read(query)));
      for (const id of removed) await records.remove(PETS_ADMIN, BigInt(id));
    });
    afterAll(() => service.stop());

    it('has filters that some of them match', () => {
      const names = listControls(facts).map(({ name }) => name);
      expect(names.toSorted()).toEqual([...Object.keys(FILTERS), REMOVED].toSorted());
      expect([...matching.values()].filter((ids) => ids.length === 0)).toEqual([]);
    });

    describe.each(QUERIES)('with the filter "%s"', (query) => {
      it.each([
        ['', (id: number) => !removed.includes(id)],
        ['with', () => true],
        ['only', (id: number) => removed.includes(id)],
      ])(
        'has the same records as its count, export, bulk change and saved view, with removed records "%s"',
        async (which, isWanted) => {
          const expected = matching.get(query)?.filter(isWanted) ?? [];
          const address = new URLSearchParams(query);
          if (which !== '') address.set(REMOVED, which);
          for (const sortBy of state === 'some' ? everyOrder(facts) : ['id']) {
            address.set(SORT_BY, sortBy);
            const list = read(address.toString());
            const { filter } = list;
            expect(await idsOf(list)).toEqual(expected);
            expect(await idsOf(list, 2)).toEqual(expected);
            expect(await records.count(PETS_ADMIN, filter, MOST)).toBe(expected.length);
            expect(await exported(list)).toEqual(expected);
            // A view keeps no chosen records.
            const view = read(viewQuery(list, columnChoices(facts)));
            if (!filter.ids) expect(await idsOf(view)).toEqual(expected);
            // Refused unless exactly so many match.
            if (which === '') await bulk.updateAll(PETS_ADMIN, filter, {}, expected.length);
          }
        },
      );
    });

    it.each(PETS.map(([name], index) => [index + 1, name] as const))(
      'has the records that a search for pet %i finds',
      async (id, name) => {
        for (const text of [String(id), `pet ${id}`, name]) {
          const found = async (which: 'with' | 'without') =>
            sorted(
              (await findRecords(records, PETS_ADMIN, text, { removed: which, limit: MOST })).map(
                ({ values }) => Number(values.id),
              ),
            );
          const all = await found('with');
          expect(all).toContain(id);
          expect(await found('without')).toEqual(all.filter((each) => !removed.includes(each)));
        }
      },
    );
  });

  describe('that is searched in stretches, and of which every other is removed', () => {
    beforeAll(async () => {
      await start();
      await runSql(
        service.database,
        `INSERT INTO pets (name, category_id, status, removed_at) WITH RECURSIVE n(i) AS
         (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})
         SELECT 'pet', i, 'available', CASE i % 2 WHEN 0 THEN CURRENT_TIMESTAMP END FROM n`,
      );
    });
    afterAll(() => service.stop());

    it.each(['', 'with', 'only'])(
      'has as many records as its count and export, with removed records "%s"',
      async (which) => {
        const expected = which === 'with' ? MANY : MANY / 2;
        for (const sortBy of ['id', '-status']) {
          const list = read(`status=available&${REMOVED}=${which}&${SORT_BY}=${sortBy}`);
          expect(await records.count(PETS_ADMIN, list.filter, 2 * MANY)).toBe(expected);
          expect(new Set(await exported(list)).size).toBe(expected);
        }
      },
    );
  });
});

function everyOrder({ orders }: ListFacts): string[] {
  return orders.flatMap((by) => [by, `-${by}`]);
}

function sorted(ids: readonly number[]): number[] {
  return ids.toSorted((a, b) => a - b);
}
