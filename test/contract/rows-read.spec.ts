import type { Type } from '@nestjs/common';
import { DataSource } from 'typeorm';
import * as features from '../../src/features';
import { PetsSeed } from '../../src/pets/pets.seed';
import { recordsOf } from '../../src/platform/features/feature-modules';
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

/**
 * Rows that a statement of clients may read where no index has those that were asked for, in their order: 1,000 three times, and as
 * many removed ones, of which there are about as many.
 */
const SEARCHED = 6_000;

describeEachEngine('Lists of pets of many years', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await withFeatures({ HerdsModule }, () => startTestService(engine));
    await service.app.get(PetsSeed, { strict: false }).add(PETS, { isAged: true });
    // As PostgreSQL does by itself; SQLite plans without statistics.
    if (engine === 'postgres') await runSql(service.database, 'VACUUM ANALYZE pets');
  });
  afterAll(() => service.stop());

  /** The statements that read more rows than they return, and so many more. */
  async function wasteOf(selects: readonly Select[], besides: number): Promise<string[]> {
    expect(selects).not.toEqual([]);
    const counted = await countRowsRead(service.database.url, selects);
    expect(counted.length).toBe(selects.length);
    return counted.filter(({ read, ...each }) => !isFrugal({ ...each, read: read - besides })).map(wasteLine);
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
      const type = recordsOf({ ...features, HerdsModule }).find(
        ({ name }) => name === path.split('/').at(-1),
      );
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
});
