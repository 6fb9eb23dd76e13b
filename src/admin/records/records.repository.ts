import { Injectable } from '@nestjs/common';
import type { EntityMetadata, ObjectLiteral, Repository, SelectQueryBuilder } from 'typeorm';
import type { AdminRecords } from '../../platform/features/admin-records';
import { parseDecimalInt64 } from '../../platform/values/int64';
import { countRowsUpTo } from '../../platform/database/entities/count-up-to';
import { ownerColumnOf } from '../../platform/database/column-types';
import { Database } from '../../platform/database/database';
import {
  childDecoder,
  childRelations,
  childSelection,
} from '../../platform/database/statements/child-selection';
import {
  indexedOrders,
  inPart,
  type OrderPart,
  orderParts,
  sortKeys,
} from '../../platform/database/statements/row-order';
import { type Lead, RecordConditions } from './record-conditions.repository';
import type {
  FoundRecords,
  ListRequest,
  RecordCount,
  RecordFilter,
  RecordOrder,
  RecordPosition,
} from './list-request';
import { fieldNamed } from './record-fields';
import { type StoredRecord, storedRecord } from './stored-record';

type Row = { readonly id: bigint };
type Query = SelectQueryBuilder<Row>;

/** Rows of a part of a list: from its beginning or after a position in it, up to a number of rows. */
interface Stretch {
  readonly order: RecordOrder;
  readonly part: OrderPart;
  readonly place: RecordPosition | undefined;
  /** Most rows; all of them unless set. */
  readonly window?: number | undefined;
  /** Restricts the rows to those an index finds, in the order of the index. */
  readonly lead?: Lead | undefined;
}

const BY_ID: RecordOrder = { by: 'id', descending: false };

/** Rows that one statement searches: at first enough for most pages, then enough for some ten milliseconds. */
const FIRST_WINDOW = 200;
const LARGEST_WINDOW = 50_000;

/** Most records that are read at once if an index finds them. */
const FEW = 20_000;

/** Reads records of any type from the database, by their entity and their documented fields. */
@Injectable()
export class RecordsRepository {
  private readonly conditions = new RecordConditions(this.database);

  constructor(private readonly database: Database) {}

  /**
   * Searches the records of one page. Conditions without an index are searched in the order of the list, some rows at a time,
   * so that no statement reads all rows.
   *
   * @param withinMs the time after which the rest is left for the next page
   */
  async search(
    records: AdminRecords,
    { filter = {}, order = BY_ID, after, limit }: ListRequest,
    withinMs = Infinity,
  ): Promise<FoundRecords> {
    const end = performance.now() + withinMs;
    const parts = orderParts(this.metadataOf(records), order);
    const first =
      after?.value === null && parts.includes('nulls') ? parts.indexOf('nulls') : parts.indexOf('values');
    const isFew = await this.isFew(records, filter);
    const lead = this.leadIn(records, filter, order);
    const rows: Row[] = [];
    for (const [index, part] of parts.entries()) {
      if (after && index < first) continue;
      let place = index === first ? after : undefined;
      let window = isFew ? undefined : Math.max(2 * limit, FIRST_WINDOW);
      while (rows.length < limit) {
        rows.push(
          ...(await this.readPart(
            records,
            filter,
            { order, part, place, window, lead },
            limit - rows.length,
          )),
        );
        if (window === undefined || rows.length === limit) break;
        place = await this.reach(records, { order, part, place, window, lead });
        if (!place) break;
        if (performance.now() > end) return { records: stored(records, rows), lookedTo: place };
        window = LARGEST_WINDOW;
      }
    }
    return { records: stored(records, rows), lookedTo: undefined };
  }

  /** Reads one part of a list, from its beginning or after a position in it. */
  private readPart(
    records: AdminRecords,
    filter: RecordFilter,
    stretch: Stretch,
    limit: number,
  ): Promise<Row[]> {
    const metadata = this.metadataOf(records);
    return this.database.scan(records.entity, (table) => {
      const query = this.conditions.withStored(this.matching(table, records, filter, stretch), records);
      return this.rowsOf(this.sorted(query, records, stretch.order).limit(limit), metadata);
    });
  }

  /** The position at which a stretch of a list ends; undefined for the last stretch. */
  private async reach(records: AdminRecords, stretch: Stretch): Promise<RecordPosition | undefined> {
    const { order, part, window = 0 } = stretch;
    const last = await this.database.scan(records.entity, (table) => {
      const query = this.conditions.all(table).select('row.id');
      if (order.by !== 'id') query.addSelect(`row.${order.by}`);
      this.inStretch(query, records, stretch);
      return this.sorted(query, records, order)
        .offset(window - 1)
        .limit(1)
        .getOne();
    });
    if (!last) return undefined;
    return { id: last.id, value: part === 'nulls' ? null : (last as Row & ObjectLiteral)[order.by] };
  }

  /** Counts matching records up to a limit, among the rows that could be searched within a time. */
  async count(
    records: AdminRecords,
    filter: RecordFilter,
    limit: number,
    withinMs = Infinity,
  ): Promise<RecordCount> {
    const end = performance.now() + withinMs;
    if (await this.isFew(records, filter)) {
      return { count: await this.countIn(records, filter, limit), isWhole: true };
    }
    const lead = this.leadIn(records, filter, BY_ID);
    let place: RecordPosition | undefined;
    let count = 0;
    do {
      const stretch: Stretch = { order: BY_ID, part: 'values', place, window: LARGEST_WINDOW, lead };
      count += await this.countIn(records, filter, limit - count, stretch);
      if (count >= limit) break;
      place = await this.reach(records, stretch);
    } while (place && performance.now() < end);
    return { count, isWhole: count >= limit || !place };
  }

  private countIn(
    records: AdminRecords,
    filter: RecordFilter,
    limit: number,
    stretch?: Stretch,
  ): Promise<number> {
    return this.database.scan(records.entity, (table) =>
      countRowsUpTo(this.matching(table, records, filter, stretch).select('row.id'), limit),
    );
  }

  /** True if a condition with an index leaves so few records that the engine reads them all in a moment. */
  private async isFew(records: AdminRecords, filter: RecordFilter): Promise<boolean> {
    if (filter.where?.['id'] !== undefined || filter.ids) return true;
    for (const { where } of this.conditions.leads(records, filter)) {
      if ((await this.countIn(records, { where, removed: 'with' }, FEW)) < FEW) return true;
    }
    return false;
  }

  /** The condition whose index has the rows in the given order. */
  private leadIn(records: AdminRecords, filter: RecordFilter, { by }: RecordOrder): Lead | undefined {
    const leads = this.conditions.leads(records, filter);
    return leads.find(({ name }) => name === by) ?? leads.find(({ isExact }) => isExact && by === 'id');
  }

  private sorted(query: Query, records: AdminRecords, { by, descending }: RecordOrder): Query {
    for (const key of sortKeys(this.database.engine, this.metadataOf(records), by)) {
      query.addOrderBy(key, descending ? 'DESC' : 'ASC');
    }
    return query;
  }

  /** Restricts a query to the rows of a part of a list, after its position if it has one. */
  private inStretch(query: Query, records: AdminRecords, { order, part, place, lead }: Stretch): void {
    if (place) this.conditions.startAfter(query, records, order, part, place);
    else query.andWhere(inPart(this.metadataOf(records), order, part));
    if (lead) this.conditions.restrict(query, records, lead.where);
  }

  /** The rows that a filter matches, all or in a stretch. Pages, counts, exports and bulk changes all begin with this query. */
  private matching(
    table: Repository<Row>,
    records: AdminRecords,
    filter: RecordFilter,
    stretch?: Stretch,
  ): Query {
    const query = this.conditions.matching(table, records, filter);
    if (stretch?.window !== undefined) this.fromStretch(query, table, records, stretch);
    else if (stretch) this.inStretch(query, records, stretch);
    return query;
  }

  /** Makes a query search the first rows of a stretch alone, in a subquery: an index of its own conditions would find others. */
  private fromStretch(query: Query, table: Repository<Row>, records: AdminRecords, stretch: Stretch): void {
    const seen = this.conditions.all(table).select('"row".*');
    this.inStretch(seen, records, stretch);
    this.sorted(seen, records, stretch.order).limit(stretch.window);
    const { mainAlias } = query.expressionMap;
    if (mainAlias) mainAlias.subQuery = `(${seen.getQuery()})`;
    query.setParameters(seen.getParameters());
  }

  /**
   * Finds one record, even a removed one.
   *
   * @param isLocked locks it: no other transaction may change it until the one in progress ends
   */
  async find(records: AdminRecords, id: bigint, isLocked = false): Promise<StoredRecord | undefined> {
    const metadata = this.metadataOf(records);
    const table = this.database.dataSource.getRepository(records.entity);
    const query = () =>
      this.conditions.withStored(
        this.conditions.matching(table, records, { where: { id }, removed: 'with' }),
        records,
      );
    if (isLocked && this.database.engine === 'postgres') await query().setLock('pessimistic_write').getOne();
    const [row] = await this.rowsOf(query(), metadata);
    return row ? storedRecord(records, row) : undefined;
  }

  /** The ids among these that belong to records, even removed ones. */
  async existing(records: AdminRecords, ids: readonly string[]): Promise<Set<string>> {
    const wanted = ids.map(parseDecimalInt64).filter((id) => id !== undefined);
    if (wanted.length === 0) return new Set();
    const table = this.database.dataSource.getRepository(records.entity);
    const query = this.conditions.matching(table, records, { ids: wanted, removed: 'with' });
    const rows = await query.select('row.id').getMany();
    return new Set(rows.map(({ id }) => String(id)));
  }

  /** Fields that records can be ordered by. */
  orders(records: AdminRecords): string[] {
    const owner = ownerColumnOf(records.entity)?.property;
    const isShown = owner !== undefined && fieldNamed(records.record, owner) !== undefined;
    return indexedOrders(this.metadataOf(records)).filter((name) => isShown || name !== owner);
  }

  /** True if the time at which a record was added is kept. */
  isDated(records: AdminRecords): boolean {
    return this.metadataOf(records).findColumnWithPropertyName('createdAt') !== undefined;
  }

  /** True if removed records are kept. */
  keepsRemoved(records: AdminRecords): boolean {
    return this.metadataOf(records).deleteDateColumn !== undefined;
  }

  private metadataOf({ entity }: AdminRecords): EntityMetadata {
    return this.database.dataSource.getMetadata(entity);
  }

  /** Reads the rows of a query, with their child rows. */
  private async rowsOf(query: Query, metadata: EntityMetadata): Promise<Row[]> {
    const { engine, dataSource } = this.database;
    const owned = childRelations(metadata);
    if (owned.length === 0) return query.getMany();
    for (const relation of owned) {
      query.addSelect(childSelection(relation, engine, 'row'), relation.propertyName);
    }
    const { entities, raw } = await query.getRawAndEntities<Record<string, unknown>>();
    for (const relation of owned) {
      const { propertyName } = relation;
      const decode = childDecoder(relation, dataSource);
      entities.forEach((entity, index) => {
        Object.assign(entity, { [propertyName]: decode(raw[index]?.[propertyName]) });
      });
    }
    return entities;
  }
}

function stored(records: AdminRecords, rows: readonly Row[]): StoredRecord[] {
  return rows.map((row) => storedRecord(records, row));
}
