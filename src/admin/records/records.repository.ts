import { Injectable } from '@nestjs/common';
import { Brackets, type EntityMetadata, type SelectQueryBuilder } from 'typeorm';
import type { AdminRecords } from '../../platform/features/admin-records';
import { parseDecimalInt64 } from '../../platform/values/int64';
import { containing, contains } from '../../platform/database/contains';
import { Database } from '../../platform/database/database';
import { bindable } from '../../platform/database/row-values';
import { indexedPart, textIndexesOf } from '../../platform/database/text-index';
import { fieldsOf } from './record-fields';
import type { RecordFilter, RecordOrder, RecordPlace, RecordWindow, TimeSpan } from './record-query';
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
    filter: RecordFilter,
    { order = BY_ID, after, limit }: RecordWindow,
  ): Promise<StoredRecord[]> {
    const rows = await this.database.with(records.entity, (table) => {
      const query = this.select(table.createQueryBuilder('row'), records, filter);
      if (after) query.andWhere(this.behind(records, order, after));
      for (const key of this.sortKeys(records, order, `row.${order.by}`, 'row.id')) {
        query.addOrderBy(key, order.descending ? 'DESC' : 'ASC');
      }
      return query.limit(limit).getMany();
    });
    return rows.map((row) => storedRecord(records, row));
  }

  /** How many match, counted up to a limit. */
  async count(records: AdminRecords, filter: RecordFilter, limit: number): Promise<number> {
    return this.database.with(records.entity, async (table) => {
      const matching = this.restrict(table.createQueryBuilder('row').select('row.id'), records, filter);
      const [sql, values] = matching.limit(limit).getQueryAndParameters();
      const [row] = (await table.query(`SELECT COUNT(*) AS "found" FROM (${sql}) "matching"`, values)) as [
        { found: string | bigint },
      ];
      return Number(row.found);
    });
  }

  /**
   * One record, a removed one too.
   *
   * @param isLocked whether no other transaction may change it until the one in progress ends
   */
  async find(records: AdminRecords, id: bigint, isLocked = false): Promise<StoredRecord | undefined> {
    const row = await this.database.with(records.entity, (table) => {
      const query = this.select(table.createQueryBuilder('row'), records, { id, removed: 'with' });
      if (isLocked && this.database.engine === 'postgres') query.setLock('pessimistic_write');
      return query.getOne();
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

  /** What records can be ordered by: the id, and whatever has an index on (it, id) or is a text with an index of its own. */
  orders(records: AdminRecords): string[] {
    const metadata = this.metadataOf(records);
    const texts = textIndexesOf(metadata).map(({ property }) => property);
    const indexed = metadata.indices
      .filter(({ columns, where }) => columns.length === 2 && columns[1]?.propertyName === 'id' && !where)
      .map(({ columns }) => columns[0]?.propertyName as string);
    return ['id', ...indexed, ...texts];
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

  private select(query: Query, records: AdminRecords, filter: RecordFilter): Query {
    if (this.isDated(records)) query.addSelect('row.createdAt');
    if (this.keepsRemoved(records)) query.addSelect('row.removedAt');
    return this.restrict(query, records, filter);
  }

  private restrict(query: Query, records: AdminRecords, filter: RecordFilter): Query {
    const { id, fields = {}, notSet = [], times = {}, removed = 'without' } = filter;
    if (removed !== 'without') query.withDeleted();
    if (removed === 'only') query.andWhere('row.removedAt IS NOT NULL');
    if (id !== undefined) query.andWhere('row.id = :id', { id });
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
    return query;
  }

  private restrictTime(query: Query, name: string, { from, to }: TimeSpan = {}): void {
    if (from) query.andWhere(`row.${name} >= :from_${name}`, { [`from_${name}`]: this.instant(from) });
    if (to) query.andWhere(`row.${name} < :to_${name}`, { [`to_${name}`]: this.instant(to) });
  }

  /**
   * What rows are put in order by: a value and the id, and before a text of any length the part of it that is in the index.
   *
   * @param value SQL, as is the id
   */
  private sortKeys(records: AdminRecords, { by }: RecordOrder, value: string, id: string): string[] {
    if (by === 'id') return [id];
    const isLongText = textIndexesOf(this.metadataOf(records)).some(({ property }) => property === by);
    return isLongText ? [...new Set([indexedPart(this.database.engine, value), value, id])] : [value, id];
  }

  /**
   * What comes behind a place in an order. It compares rows, for which both engines begin to read their index at the place; for
   * the same condition in ORs PostgreSQL begins at the first row of the list. The engines differ in where they put rows without a value.
   */
  private behind(records: AdminRecords, order: RecordOrder, { value, id }: RecordPlace): Brackets {
    const { by, descending } = order;
    const beyond = descending ? '<' : '>';
    const column = `row.${by}`;
    const isOptional = this.metadataOf(records).findColumnWithPropertyName(by)?.isNullable ?? false;
    const nullsAreLast = isOptional && (this.database.engine === 'postgres') !== descending;
    return new Brackets((where) => {
      if (value === null) {
        where.where(`${column} IS NULL AND row.id ${beyond} :place_id`, { place_id: id });
        if (!nullsAreLast) where.orWhere(`${column} IS NOT NULL`);
        return;
      }
      const place_value = value instanceof Date ? this.instant(value) : value;
      const keys = this.sortKeys(records, order, column, 'row.id').join(', ');
      const place = this.sortKeys(records, order, ':place_value', ':place_id').join(', ');
      where.where(`(${keys}) ${beyond} (${place})`, { place_value, place_id: id });
      if (nullsAreLast) where.orWhere(`${column} IS NULL`);
    });
  }

  /** An instant as a raw condition has it: TypeORM converts only the values of columns. */
  private instant(value: Date): string {
    return String(bindable(value, this.database.engine));
  }
}
