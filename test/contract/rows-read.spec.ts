import type { Type } from '@nestjs/common';
import { DataSource, type EntityMetadata } from 'typeorm';
import { forAllOwners } from '../../src/platform/security/owner';
import { handlerParameters } from '../../src/platform/http/operations/handler-parameters';
import type { Operation } from '../../src/platform/http/operations/operation';
import { OperationRegistry } from '../../src/platform/http/operations/operation-registry';
import { listFilters, listOrder } from '../../src/platform/validation/list-filters';
import { describeEachEngine } from '../support/databases/databases';
import { addToSchema } from '../support/databases/with-schema';
import { CreateParcels1790000000001, ParcelsModule } from '../support/parcels.module';
import { addAgedRows } from '../support/samples/aged-rows';
import { Parcel } from '../support/samples/owned-samples';
import { tableOf } from '../support/samples/samples';
import { countRowsRead, isFrugal, type Select, wasteLine, watchSelects } from '../support/service/rows-read';
import { operationsOf, servedDocument } from '../support/service/served-document';
import { startTestService, type TestService } from '../support/service/service';
import { withFeatures } from '../support/service/with-features';
import { HerdsModule } from '../ordinary-nest/herds.module';
import { goodRequest } from './support/good-request';
import { linksOf, targetOf } from './support/links';
import { ask } from './support/request';
import { runSql } from './support/sql';

const ROWS = 20_000;

/**
 * Rows that a statement of clients may read where no index has those that were asked for, in their order: 1,000 three times, and as
 * many removed ones, of which there are about as many.
 */
const SEARCHED = 6_000;

/** A list that clients can ask for, and the entity whose rows it has. */
interface ClientList {
  readonly operation: Operation;
  readonly target: string;
  readonly metadata: EntityMetadata;
}

describeEachEngine('Lists of rows of many years', (engine) => {
  let service: TestService;
  let takeBack: () => void;
  const lists: ClientList[] = [];

  beforeAll(async () => {
    takeBack = addToSchema({ entities: [Parcel], migrations: [CreateParcels1790000000001] });
    service = await withFeatures({ HerdsModule, ParcelsModule }, () => startTestService(engine));
    const pages = service.app
      .get(OperationRegistry)
      .of('public')
      .filter(({ response }) => response?.kind === 'page');
    for (const operation of pages) lists.push(await listOf(operation));
    for (const metadata of new Set(lists.map((list) => list.metadata))) {
      await addAgedRows(service, metadata, ROWS);
      // As PostgreSQL does by itself; SQLite plans without statistics.
      if (engine === 'postgres') await runSql(service.database, `VACUUM ANALYZE "${metadata.tableName}"`);
    }
  });
  afterAll(async () => {
    await service.stop();
    takeBack();
  });

  /** Asks for a list that has some rows, and finds out of which table they are. */
  async function listOf(operation: Operation): Promise<ClientList> {
    const document = await servedDocument(service);
    const served = operationsOf(document).find(({ operationId }) => operationId === operation.id);
    if (!served) throw new Error(`The document does not have ${operation.id}.`);
    const dataSource = service.app.get(DataSource);
    const isOfItsOwn = dataSource.entityMetadatas.some(
      ({ tableName }) => tableName === tableOf(served.collection),
    );
    const target = isOfItsOwn
      ? ((await goodRequest(service, document, served)).request.target as string)
      : operation.path;
    const { selects } = await watchSelects(dataSource, () => ask(service, { target }));
    const page = selects.find(({ text }) => text.includes(' LIMIT ') && text.includes('"row"'));
    const [, table] = /FROM "(\w+)" "row"/.exec(page?.text ?? '') ?? [];
    const metadata = dataSource.entityMetadatas.find(({ tableName }) => tableName === table);
    if (!metadata) throw new Error(`${operation.id} reads no page of a table.`);
    return { operation, target, metadata };
  }

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
  async function queriesOf(
    query: Type,
    metadata: EntityMetadata,
  ): Promise<{ asked: string; isSearched: boolean }[]> {
    const { driver } = service.app.get(DataSource);
    const rows = service.app.get(DataSource).getRepository(metadata.target);
    const filters = await Promise.all(
      listFilters(query).map(async ({ name, field, operator }) => {
        const found = await forAllOwners(() =>
          rows
            .createQueryBuilder('row')
            .select(`row.${field}`, 'value')
            .where(`row.${field} IS NOT NULL`)
            .groupBy(`row.${field}`)
            .limit(5)
            .getRawMany<{ value: unknown }>(),
        );
        const column = metadata.findColumnWithPropertyName(field) as EntityMetadata['columns'][number];
        return found.map((raw) => {
          const value: unknown = driver.prepareHydratedValue(raw.value, column);
          const text = value instanceof Date ? value.toISOString() : String(value);
          const asked = `${name}=${encodeURIComponent(operator === 'prefix' ? text.slice(0, 1) : text)}`;
          return { asked, isSearched: operator !== 'is' && operator !== 'in' };
        });
      }),
    );
    const { parameter, fields = [] } = listOrder(query) ?? {};
    const orders = fields.flatMap((field) =>
      ['', '-'].map((sign) => ({ asked: `${parameter}=${sign}${field}`, isSearched: false })),
    );
    const filtered = [...new Map(filters.flat().map((one) => [one.asked, one])).values()];
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
    expect(lists.map(({ target }) => target)).toEqual(
      expect.arrayContaining(['/v1/pets', '/v1/herds', '/v1/parcels']),
    );
    for (const { operation, target, metadata } of lists) {
      const [query] = handlerParameters(operation.controller, operation.methodName).queryTypes;
      for (const { asked, isSearched } of query ? await queriesOf(query, metadata) : []) {
        const { selects } = await watchSelects(service.app.get(DataSource), async () => {
          let next: string | undefined = `${target}?limit=20&${asked}`;
          for (let page = 0; next !== undefined && page < 3; page++) {
            const response = await ask(service, { target: next });
            expect([target, asked, response.status]).toEqual([target, asked, 200]);
            const address = linksOf(response).get('next');
            next = address === undefined ? undefined : targetOf(address);
          }
        });
        const reads = selects.filter(({ text }) => text.includes(`"${metadata.tableName}"`));
        const waste = await wasteOf(reads, isSearched ? SEARCHED : 0);
        expect([target, asked, waste]).toEqual([target, asked, []]);
      }
    }
  });
});
