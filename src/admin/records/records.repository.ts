import { Injectable } from '@nestjs/common';
import type { EntityMetadata, ObjectLiteral } from 'typeorm';
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
import { indexedOrders } from '../../platform/database/statements/list-indexes';
import { isCondition } from '../../platform/database/statements/where';
import { type Lead, type Query, RecordConditions, type Row } from './record-conditions.repository';
import { FEW, type ListPart, RecordStretches, type Stretch } from './record-stretches.repository';
import {
  BY_ID,
  type FoundRecords,
  type ListRequest,
  positionOf,
  type RecordCount,
  type RecordFilter,
  type RecordList,
  type RecordOrder,
  type RecordPosition,
} from './list-request';
import { fieldNamed } from './record-fields';
import { type StoredRecord, storedRecord } from './stored-record';

/** Rows that one statement searches: at first enough for most pages, then enough for some ten milliseconds. */
const FIRST_WINDOW = 200;
const LARGEST_WINDOW = 50_000;

/** The way in which the records of a list are found. */
interface Reading {
  readonly order: RecordOrder;
  /** The condition whose index has the rows in the order. */
  readonly lead: Lead | undefined;
  /** A condition that few rows meet. */
  readonly few?: Lead | undefined;
  /** True if no row has to be passed over but those of an index that has no others, or few; otherwise rows are searched. */
  readonly isFound: boolean;
}

/** Reads records of any type from the database, by their entity and their documented fields. */
@Injectable()
export class RecordsRepository {
  private readonly conditions = new RecordConditions(this.database);
  private readonly stretches = new RecordStretches(this.database);

  constructor(private readonly database: Database) {}

  /**
   * Searches the records of one page. Conditions without an index are searched in the order of the list, some rows at a time,
   * so that no statement reads all rows.
   *
   * @param withinMs the time after which the rest is left for the next page
   */
  async search(records: AdminRecords, request: ListRequest, withinMs = Infinity): Promise<FoundRecords> {
    const end = performance.now() + withinMs;
    const { filter = {}, order = BY_ID } = request;
    return this.searchBy(await this.readingOf(records, filter, order), records, request, end);
  }

  /** Yields the records of a list, a page at a time. The way in which they are found is decided once. */
  async *pages(
    records: AdminRecords,
    { filter, order }: RecordList,
    limit: number,
  ): AsyncGenerator<StoredRecord[], void, undefined> {
    const reading = await this.readingOf(records, filter, order);
    let last: StoredRecord | undefined;
    do {
      const request = { filter, order, after: last && positionOf(last, order), limit };
      const { records: page } = await this.searchBy(reading, records, request);
      if (page.length > 0) yield page;
      last = page.length === limit ? page.at(-1) : undefined;
    } while (last);
  }

  private async searchBy(
    { isFound, ...reading }: Reading,
    records: AdminRecords,
    { filter = {}, order: given = BY_ID, after, limit }: ListRequest,
    end = Infinity,
  ): Promise<FoundRecords> {
    const { order } = reading;
    const found: StoredRecord[] = [];
    const firstWindow = isFound ? undefined : Math.max(2 * limit, FIRST_WINDOW);
    let window = firstWindow;
    let rest = this.stretches.partsOf(records, reading, after);
    while (rest.length > 0 && found.length < limit) {
      const [{ part, place }, ...others] = rest as [ListPart, ...ListPart[]];
      const stretch = { ...reading, part, place, window };
      found.push(...(await this.readPart(records, filter, stretch, limit - found.length)));
      if (found.length === limit) break;
      const reached = window === undefined ? undefined : await this.reach(records, filter, stretch);
      if (reached && performance.now() > end) {
        const wanted = filter.where?.[given.by];
        const value = isCondition(wanted) ? null : wanted;
        return { records: found, lookedTo: order.by === given.by ? reached : { id: reached.id, value } };
      }
      rest = reached ? this.stretches.partsOf(records, reading, reached) : others;
      window = reached ? LARGEST_WINDOW : firstWindow;
    }
    return { records: found, lookedTo: undefined };
  }

  /** Reads one part of a list, from its beginning or after a position in it. */
  private readPart(
    records: AdminRecords,
    filter: RecordFilter,
    stretch: Stretch,
    limit: number,
  ): Promise<StoredRecord[]> {
    return this.database.scan(records.entity, (table) => {
      const matching = this.stretches.matching(table, records, filter, { ...stretch, limit });
      const query = this.stretches.sorted(this.conditions.withStored(matching, records), records, stretch);
      return this.recordsOf(query.limit(limit), records);
    });
  }

  /** The position at which a stretch of a list ends; undefined for the last stretch. */
  private async reach(
    records: AdminRecords,
    filter: RecordFilter,
    stretch: Stretch,
  ): Promise<RecordPosition | undefined> {
    const { order, part, window = 0 } = stretch;
    const { entities, raw } = await this.database.scan(records.entity, (table) => {
      const query = this.stretches.looked(table, records, filter, stretch).select('row.id');
      if (order.by !== 'id') query.addSelect(`row.${order.by}`);
      return this.conditions
        .withPlaces(query, records, [order.by])
        .offset(window - 1)
        .limit(1)
        .getRawAndEntities<ObjectLiteral>();
    });
    const [last] = entities;
    if (!last) return undefined;
    const { [order.by]: exact } = this.conditions.placesIn(raw[0] ?? {}, records, [order.by]);
    if (part === 'nulls') return { id: last.id, value: null };
    return { id: last.id, value: (last as Row & ObjectLiteral)[order.by], exact };
  }

  /** Counts matching records up to a limit, among the rows that could be searched within a time. */
  async count(
    records: AdminRecords,
    filter: RecordFilter,
    limit: number,
    withinMs = Infinity,
  ): Promise<RecordCount> {
    const end = performance.now() + withinMs;
    const { isFound, ...reading } = await this.readingOf(records, filter, BY_ID);
    const window = isFound ? undefined : LARGEST_WINDOW;
    let place: RecordPosition | undefined;
    let count = 0;
    do {
      const stretch: Stretch = { ...reading, part: 'values', place, window };
      count += await this.countIn(records, filter, limit - count, stretch);
      if (isFound || count >= limit) break;
      place = await this.reach(records, filter, stretch);
    } while (place && performance.now() < end);
    return { count, isWhole: count >= limit || !place };
  }

  private countIn(
    records: AdminRecords,
    filter: RecordFilter,
    limit: number,
    stretch: Stretch,
  ): Promise<number> {
    return this.database.scan(records.entity, (table) => {
      const query = this.stretches.matching(table, records, filter, { ...stretch, limit }).select('row.id');
      // In the order of the index, of which PostgreSQL otherwise may leave out that it has the rows.
      const isRead = stretch.window === undefined && !stretch.few;
      return countRowsUpTo(isRead ? this.stretches.sorted(query, records, stretch) : query, limit);
    });
  }

  /** Decides how the records of a list are found. */
  private async readingOf(records: AdminRecords, filter: RecordFilter, order: RecordOrder): Promise<Reading> {
    const { ids, where = {} } = filter;
    const lead = this.leadIn(records, filter, order);
    // The rows of one value are in the order of their ids.
    const inForce = lead?.isExact ? { ...order, by: 'id' } : order;
    const reading = { order: inForce, lead };
    if (ids || where['id'] !== undefined) return { ...reading, lead: undefined, isFound: true };
    if (this.conditions.areAll(records, filter, lead?.name, inForce)) return { ...reading, isFound: true };
    for (const few of this.conditions.leads(records, filter)) {
      if ((await this.countFew(records, few)) < FEW) return { ...reading, few, isFound: true };
    }
    return { ...reading, isFound: false };
  }

  private countFew(records: AdminRecords, lead: Lead): Promise<number> {
    return this.database.scan(records.entity, (table) =>
      countRowsUpTo(this.stretches.few(table, records, lead).select('row.id'), FEW),
    );
  }

  /** The condition whose index has the rows in the given order. */
  private leadIn(records: AdminRecords, filter: RecordFilter, { by }: RecordOrder): Lead | undefined {
    const leads = this.conditions.leads(records, filter);
    return leads.find(({ name }) => name === by) ?? leads.find(({ isExact }) => isExact && by === 'id');
  }

  /**
   * Finds one record, even a removed one.
   *
   * @param isLocked locks it: no other transaction may change it until the one in progress ends
   */
  async find(records: AdminRecords, id: bigint, isLocked = false): Promise<StoredRecord | undefined> {
    const table = this.database.dataSource.getRepository(records.entity);
    const query = () =>
      this.conditions.withStored(
        this.conditions.matching(table, records, { where: { id }, removed: 'with' }),
        records,
      );
    if (isLocked && this.database.engine === 'postgres') await query().setLock('pessimistic_write').getOne();
    const [found] = await this.recordsOf(query(), records);
    return found;
  }

  /** Locks records: no other transaction may change them until the one in progress ends. */
  async lock(records: AdminRecords, ids: readonly bigint[]): Promise<void> {
    // On SQLite a transaction has the whole file to itself.
    if (this.database.engine === 'sqlite') return;
    const table = this.database.dataSource.getRepository(records.entity);
    const rows = this.conditions.matching(table, records, { ids }).select('row.id').orderBy('row.id');
    await rows.setLock('pessimistic_write').getMany();
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
    return indexedOrders(this.metadataOf(records), 'all').filter((name) => isShown || name !== owner);
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

  /** Reads the records of a query, with their child rows. */
  private async recordsOf(query: Query, records: AdminRecords): Promise<StoredRecord[]> {
    const { engine, dataSource } = this.database;
    const metadata = this.metadataOf(records);
    const orders = indexedOrders(metadata, 'all');
    this.conditions.withPlaces(query, records, orders);
    const owned = childRelations(metadata);
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
    return entities.map((entity, index) =>
      storedRecord(records, entity, this.conditions.placesIn(raw[index] ?? {}, records, orders)),
    );
  }
}
