import type { Type } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PETS_ADMIN } from '../../src/pets/pets.admin';
import { PetsSeed } from '../../src/pets/pets.seed';
import { factsOf } from '../../src/admin/console/records/list/list-facts';
import {
  listControls,
  readListQuery,
  SORT_BY,
  type ListQuery,
} from '../../src/admin/console/records/list/list-query';
import { type ListFacts, positionOf } from '../../src/admin/records/list-request';
import { NOT_SET, REMOVED, REMOVED_RECORDS } from '../../src/admin/records/record-filters';
import { RecordsService } from '../../src/admin/records/records.service';
import { handlerParameters } from '../../src/platform/http/operations/handler-parameters';
import { OperationRegistry } from '../../src/platform/http/operations/operation-registry';
import { listFilters, listOrder } from '../../src/platform/validation/list-filters';
import { describeEachEngine } from '../support/databases/databases';
import { countRowsRead, isFrugal, type Select, wasteLine, watchSelects } from '../support/service/rows-read';
import { startTestService, type TestService } from '../support/service/service';
import { withFeatures } from '../support/service/with-features';
import { HerdsModule } from '../ordinary-nest/herds.module';
import { linksOf, targetOf } from './support/links';
import { ask } from './support/request';
import { runSql } from './support/sql';

const PETS = 20_000;

/** Rows of a page, as the console has it. */
const PAGE = 50;

/** Rows that a statement of clients may read where no index has those that were asked for, in their order. */
const SEARCHED = 3_000;

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

describeEachEngine('Lists of pets of many years', (engine) => {
  let service: TestService;
  let records: RecordsService;
  let facts: ListFacts;

  beforeAll(async () => {
    service = await withFeatures({ HerdsModule }, () => startTestService(engine));
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

  /**
   * Queries of a list of clients: each filter with some of the values that rows have, each order, and each two together. An index
   * has the rows of a value, and an order; others are searched.
   */
  async function queriesOf(query: Type, entity: Type): Promise<{ asked: string; isSearched: boolean }[]> {
    const rows = service.app.get(DataSource).getRepository(entity);
    const filters = await Promise.all(
      listFilters(query).map(async ({ name, field, operator }) => {
        const found = await rows
          .createQueryBuilder('row')
          .select(`row.${field}`, 'value')
          .where(`row.${field} IS NOT NULL`)
          .groupBy(`row.${field}`)
          .limit(5)
          .getRawMany<{ value: unknown }>();
        return found.map(({ value }) => {
          // An instant, as it is in a file of SQLite.
          const stored = String(value).replace(/^(\d{4}-\d\d-\d\d) ([\d:.]+)$/, '$1T$2Z');
          const text = value instanceof Date ? value.toISOString() : stored;
          const asked = `${name}=${encodeURIComponent(operator === 'prefix' ? text.slice(0, 1) : text)}`;
          return { asked, isSearched: operator !== 'is' && operator !== 'in' };
        });
      }),
    );
    const { parameter, fields = [] } = listOrder(query) ?? {};
    const orders = fields.flatMap((field) =>
      ['', '-'].map((sign) => ({ asked: `${parameter}=${sign}${field}`, isSearched: false })),
    );
    const filtered = filters.flat();
    return [
      { asked: '', isSearched: false },
      ...filtered,
      ...orders,
      ...orders.flatMap((order) =>
        filtered.map((one) => ({ asked: `${one.asked}&${order.asked}`, isSearched: true })),
      ),
    ];
  }

  it('are read by clients with about as many rows as they get, or as are searched, whatever a list can be asked for', async () => {
    const lists = service.app
      .get(OperationRegistry)
      .of('public')
      .filter(({ response }) => response?.kind === 'page');
    expect(lists.map(({ path }) => path)).toEqual(expect.arrayContaining(['/v1/pets', '/v1/herds']));
    for (const { controller, methodName, path } of lists) {
      const [query] = handlerParameters(controller, methodName).queryTypes;
      const type = records.recordTypeNamed(path.split('/').at(-1) as string);
      if (!query || !type) continue;
      for (const { asked, isSearched } of await queriesOf(query, type.entity)) {
        const { selects } = await watchSelects(service.app.get(DataSource), async () => {
          let next: string | undefined = `${path}?limit=20&${asked}`;
          for (let page = 0; next !== undefined && page < 3; page++) {
            const response = await ask(service, { target: next });
            expect([asked, response.status]).toEqual([asked, 200]);
            const address = linksOf(response).get('next');
            next = address === undefined ? undefined : targetOf(address);
          }
        });
        const { tableName } = service.app.get(DataSource).getMetadata(type.entity);
        const reads = selects.filter(({ text }) => text.includes(`"${tableName}"`));
        expect([asked, await wasteOf(reads, isSearched ? SEARCHED : 0)]).toEqual([asked, []]);
      }
    }
  });

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
