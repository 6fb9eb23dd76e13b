import { DataSource } from 'typeorm';
import { runSql } from '../../../test/contract/support/sql';
import { describeEachEngine } from '../../../test/support/databases/databases';
import {
  countRowsRead,
  isFrugal,
  type Select,
  wasteLine,
  watchSelects,
} from '../../../test/support/service/rows-read';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { PETS_ADMIN } from '../../pets/pets.admin';
import { PetsSeed } from '../../pets/pets.seed';
import { factsOf } from '../console/records/list/list-facts';
import { listControls, type ListQuery, readListQuery, SORT_BY } from '../console/records/list/list-query';
import { type ListFacts, positionOf } from './list-request';
import { NOT_SET, REMOVED, REMOVED_RECORDS } from './record-filters';
import { RecordsService } from './records.service';
import type { StoredRecord } from './stored-record';

const PETS = 20_000;

/** Rows of a page, as the console has it. */
const PAGE = 50;

/** More pets than have one name. PostgreSQL reads those whose first 500 characters are the same together, and sorts them. */
const SAME_NAME = 200;

/** A text for each filter of the console that an index helps, in the order of the id. */
const FILTERS: Readonly<Record<string, readonly string[]>> = {
  id: ['15000'],
  status: ['available', 'pending', 'sold'],
  categoryId: ['7'],
  [NOT_SET]: ['status'],
};

/** Filters that are read in the order of their field. */
const IN_ORDER: Readonly<Record<string, string>> = {
  'added-from=2023-01-01': 'createdAt',
  'added-to=2023-01-01': 'createdAt',
  'status=available': 'status',
  'categoryId=7': 'categoryId',
};

describeEachEngine('Lists of records of many years', (engine) => {
  let service: TestService;
  let records: RecordsService;
  let facts: ListFacts;

  beforeAll(async () => {
    service = await startTestService(engine);
    await service.app.get(PetsSeed, { strict: false }).add(PETS, { isAged: true });
    // As PostgreSQL does by itself; SQLite plans without statistics.
    if (engine === 'postgres') await runSql(service.database, 'VACUUM ANALYZE pets');
    records = service.app.get(RecordsService, { strict: false });
    facts = factsOf(records, PETS_ADMIN);
  });
  afterAll(() => service.stop());

  /** The statements that read more rows than they return, and so many more. */
  async function wasteOf(selects: readonly Select[], besides = 0): Promise<string[]> {
    expect(selects).not.toEqual([]);
    const counted = await countRowsRead(service.database.url, selects);
    expect(counted.length).toBe(selects.length);
    return counted.filter(({ read, ...each }) => !isFrugal({ ...each, read: read - besides })).map(wasteLine);
  }

  /** The first pages of a list of the console, each after the other. */
  async function pagesOf(query: string, pages = 3): Promise<readonly Select[]> {
    const { filter, order }: ListQuery = readListQuery(facts, new URLSearchParams(query));
    const { selects } = await watchSelects(service.app.get(DataSource), async () => {
      let after;
      for (let page = 0; page < pages; page++) {
        const found = await records.search(PETS_ADMIN, { filter, order, after, limit: PAGE });
        const last = found.at(-1);
        if (!last || found.length < PAGE) break;
        after = positionOf(last, order);
      }
    });
    return selects;
  }

  it('have filters of which each is tried', () => {
    const tried = [...Object.keys(FILTERS), 'added-from', 'added-to', 'name', REMOVED];
    expect(
      listControls(facts)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(tried.toSorted());
  });

  describe.each(REMOVED_RECORDS)('with removed records "%s"', (removed) => {
    it.each(['id', 'name', 'categoryId', 'status', 'createdAt'].flatMap((by) => [by, `-${by}`]))(
      'are read by operators with about as many rows as they get in the order %s',
      async (order) => {
        expect(facts.orders).toContain(order.replace('-', ''));
        const selects = await pagesOf(`${SORT_BY}=${order}&${REMOVED}=${removed}`);
        // The index on names has all records: removed ones alone are read as long as they are few.
        if (removed === 'only' && order.endsWith('name')) {
          for (const { read } of await countRowsRead(service.database.url, selects))
            expect(read).toBeLessThan(PETS / 2);
        } else expect(await wasteOf(selects, order.endsWith('name') ? SAME_NAME : 0)).toEqual([]);
      },
    );
  });

  it.each(
    Object.entries(FILTERS).flatMap(([name, texts]) =>
      texts.flatMap((text) => ['id', '-id'].map((order) => `${name}=${text}&${SORT_BY}=${order}`)),
    ),
  )('are read by operators with about as many rows as they get: "%s"', async (query) => {
    expect(await wasteOf(await pagesOf(query))).toEqual([]);
  });

  it.each(
    Object.entries(IN_ORDER).flatMap(([query, by]) => [
      `${query}&${SORT_BY}=${by}`,
      `${query}&${SORT_BY}=-${by}`,
    ]),
  )('are read by operators with about as many rows as they get: "%s"', async (query) => {
    expect(await wasteOf(await pagesOf(query))).toEqual([]);
  });

  it.each(['status', 'categoryId', 'createdAt', 'name'].flatMap((by) => [by, `-${by}`]))(
    'are read with about as many rows as they get from deep among equal values on, in the order %s',
    async (order) => {
      const query = readListQuery(facts, new URLSearchParams(`${SORT_BY}=${order}`));
      const [among] = await records.search(PETS_ADMIN, {
        filter: { where: { status: 'sold', id: { from: BigInt(PETS / 2) } } },
        limit: 1,
      });
      const after = positionOf(among as StoredRecord, query.order);
      const { selects, result } = await watchSelects(service.app.get(DataSource), () =>
        records.search(PETS_ADMIN, { ...query, after, limit: PAGE }),
      );
      expect(result).toHaveLength(PAGE);
      expect(await wasteOf(selects, order.endsWith('name') ? SAME_NAME : 0)).toEqual([]);
    },
  );

  it.each(['', 'status=available', 'status=sold', `${NOT_SET}=status`, 'categoryId=7', `${REMOVED}=only`])(
    'are counted with about as many rows as are counted: "%s"',
    async (query) => {
      const { filter } = readListQuery(facts, new URLSearchParams(query));
      const { selects, result } = await watchSelects(service.app.get(DataSource), () =>
        records.count(PETS_ADMIN, filter, 1_000),
      );
      expect(result).toBeGreaterThan(0);
      expect(await wasteOf(selects)).toEqual([]);
    },
  );
});
