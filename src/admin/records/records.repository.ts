import { Injectable } from '@nestjs/common';
import type { EntityMetadata, SelectQueryBuilder } from 'typeorm';
import type { AdminRecords } from '../../platform/features/admin-records';
import { parseDecimalInt64 } from '../../platform/values/int64';
import { containing, contains } from '../../platform/database/contains';
import { type Counted, countUpTo } from '../../platform/database/count-up-to';
import { Database } from '../../platform/database/database';
import { ownedDecoder, ownedRelations, ownedSelection } from '../../platform/database/owned-selection';
import { bindable } from '../../platform/database/row-values';
import {
  afterPlace,
  indexedOrders,
  inPart,
  type OrderPart,
  orderParts,
  PLACE,
  sortKeys,
} from '../../platform/database/row-order';
import { conditionOf, termsOf, valuesOfTerms } from '../../platform/database/where';
import { fieldsOf } from './record-fields';
import type { ListRequest, RecordFilter, RecordOrder, RecordPosition, TimeSpan } from './list-request';
import { type StoredRecord, storedRecord } from './stored-record';

type Row = { readonly id: bigint };
type Query = SelectQueryBuilder<Row>;

const BY_ID: RecordOrder = { by: 'id', descending: false };

/** Records of any kind in the database, as far as it takes their entity and their documented fields to find them. */
@Injectable()
export class RecordsRepository {
  constructor(private readonly database: Database) {}

  /** Records of one page. */
  async search(
    records: AdminRecords,
    { filter = {}, order = BY_ID, after, limit }: ListRequest,
  ): Promise<StoredRecord[]> {
    const parts = orderParts(this.metadataOf(records), order);
    const first =
      after?.value === null && parts.includes('nulls') ? parts.indexOf('nulls') : parts.indexOf('values');
    const rows: Row[] = [];
    for (const [index, part] of parts.entries()) {
      if ((after && index < first) || rows.length === limit) continue;
      const place = index === first ? after : undefined;
      rows.push(...(await this.readPart(records, filter, order, part, place, limit - rows.length)));
    }
    return rows.map((row) => storedRecord(records, row));
  }

  /** Reads one part of a list, from its beginning or after a place in it. */
  private readPart(
    records: AdminRecords,
    filter: RecordFilter,
    order: RecordOrder,
    part: OrderPart,
    after: RecordPosition | undefined,
    limit: number,
  ): Promise<Row[]> {
    const { engine } = this.database;
    const metadata = this.metadataOf(records);
    return this.database.with(records.entity, (table) => {
      const query = this.select(table.createQueryBuilder('row'), records, filter);
      if (after) this.startAfter(query, records, order, part, after);
      else query.andWhere(inPart(metadata, order, part));
      for (const key of sortKeys(engine, metadata, order.by)) {
        query.addOrderBy(key, order.descending ? 'DESC' : 'ASC');
      }
      return this.rowsOf(query.limit(limit), metadata);
    });
  }

  /** How many match, counted up to a limit. */
  async count(records: AdminRecords, filter: RecordFilter, limit: number): Promise<number> {
    return this.database.with(records.entity, async (table) => {
      const matching = this.restrict(table.createQueryBuilder('row').select('row.id'), records, filter);
      const row = await countUpTo(matching, limit).getRawOne<Counted>();
      return Number(row?.count);
    });
  }

  /**
   * One record, a removed one too.
   *
   * @param isLocked whether no other transaction may change it until the one in progress ends
   */
  async find(records: AdminRecords, id: bigint, isLocked = false): Promise<StoredRecord | undefined> {
    const metadata = this.metadataOf(records);
    const row = await this.database.with(records.entity, async (table) => {
      const query = () => this.select(table.createQueryBuilder('row'), records, { id, removed: 'with' });
      if (isLocked && this.database.engine === 'postgres')
        await query().setLock('pessimistic_write').getOne();
      const [found] = await this.rowsOf(query(), metadata);
      return found;
    });
    return row ? storedRecord(records, row) : undefined;
  }

  /** Which of some ids are those of records, removed ones too. */
  async existing(records: AdminRecords, ids: readonly string[]): Promise<Set<string>> {
    const wanted = ids.map(parseDecimalInt64).filter((id) => id !== undefined);
    if (wanted.length === 0) return new Set();
    const rows = await this.database.with(records.entity, (table) =>
      table
        .createQueryBuilder('row')
        .withDeleted()
        .select('row.id')
        .where('row.id IN (:...wanted)', { wanted })
        .getMany(),
    );
    return new Set(rows.map(({ id }) => String(id)));
  }

  /** What records can be ordered by. */
  orders(records: AdminRecords): string[] {
    return indexedOrders(this.metadataOf(records));
  }

  /** Whether it is kept when a record was added. */
  isDated(records: AdminRecords): boolean {
    return this.metadataOf(records).findColumnWithPropertyName('createdAt') !== undefined;
  }

  /** Whether removed records are kept. */
  keepsRemoved(records: AdminRecords): boolean {
    return this.metadataOf(records).deleteDateColumn !== undefined;
  }

  private metadataOf({ entity }: AdminRecords): EntityMetadata {
    return this.database.dataSource.getMetadata(entity);
  }

  /** The rows of a query, with the rows they own. */
  private async rowsOf(query: Query, metadata: EntityMetadata): Promise<Row[]> {
    const { engine, dataSource } = this.database;
    const owned = ownedRelations(metadata);
    if (owned.length === 0) return query.getMany();
    for (const relation of owned) {
      query.addSelect(ownedSelection(relation, engine, 'row'), relation.propertyName);
    }
    const { entities, raw } = await query.getRawAndEntities<Record<string, unknown>>();
    for (const relation of owned) {
      const { propertyName } = relation;
      const decode = ownedDecoder(relation, dataSource);
      entities.forEach((entity, index) => {
        Object.assign(entity, { [propertyName]: decode(raw[index]?.[propertyName]) });
      });
    }
    return entities;
  }

  private select(query: Query, records: AdminRecords, filter: RecordFilter): Query {
    if (this.isDated(records)) query.addSelect('row.createdAt');
    if (this.keepsRemoved(records)) query.addSelect('row.removedAt');
    return this.restrict(query, records, filter);
  }

  private restrict(query: Query, records: AdminRecords, filter: RecordFilter): Query {
    const { id, ids, fields = {}, conditions = {}, notSet = [], times = {}, removed = 'without' } = filter;
    if (removed !== 'without') query.withDeleted();
    if (removed === 'only') query.andWhere('row.removedAt IS NOT NULL');
    if (id !== undefined) query.andWhere('row.id = :id', { id });
    if (ids) query.andWhere('row.id IN (:...ids)', { ids });
    this.restrictTime(query, 'createdAt', times.createdAt);
    for (const { name, kind } of fieldsOf(records.record)) {
      if (notSet.includes(name)) query.andWhere(`row.${name} IS NULL`);
      if (kind === 'date-time') this.restrictTime(query, name, times[name]);
      if (!Object.hasOwn(fields, name)) continue;
      const value = fields[name];
      const parameter = `field_${name}`;
      if (kind === 'text') {
        const condition = contains(this.database.engine, `row.${name}`, parameter);
        query.andWhere(condition, { [parameter]: containing(String(value)) });
      } else query.andWhere(`row.${name} = :${parameter}`, { [parameter]: value });
    }
    this.restrictByConditions(query, records, conditions);
    return query;
  }

  private startAfter(
    query: Query,
    records: AdminRecords,
    order: RecordOrder,
    part: OrderPart,
    { value, id }: RecordPosition,
  ): void {
    const place = afterPlace(this.database.engine, this.metadataOf(records), order, part);
    query.andWhere(place, {
      [PLACE.id]: id,
      ...(part === 'values' && { [PLACE.value]: value instanceof Date ? this.instant(value) : value }),
    });
  }

  private restrictByConditions(query: Query, records: AdminRecords, conditions: object): void {
    const { engine } = this.database;
    const terms = termsOf(conditions as Readonly<Record<string, unknown>>);
    const values = Object.entries(valuesOfTerms(terms)).map(([name, value]) => [
      name,
      bindable(value, engine),
    ]);
    query.setParameters(Object.fromEntries(values) as object);
    for (const term of terms) {
      query.andWhere(conditionOf(engine, this.metadataOf(records), term, (name) => `row.${name}`));
    }
  }

  private restrictTime(query: Query, name: string, { from, to }: TimeSpan = {}): void {
    if (from) query.andWhere(`row.${name} >= :from_${name}`, { [`from_${name}`]: this.instant(from) });
    if (to) query.andWhere(`row.${name} < :to_${name}`, { [`to_${name}`]: this.instant(to) });
  }

  /** An instant as a raw condition has it: TypeORM converts only the values of columns. */
  private instant(value: Date): string {
    return String(bindable(value, this.database.engine));
  }
}
