import type { EntityMetadata, SelectQueryBuilder } from 'typeorm';
import type { AdminRecords } from '../../platform/features/admin-records';
import { containing, contains } from '../../platform/database/statements/contains';
import type { Database } from '../../platform/database/database';
import { bindable } from '../../platform/database/statements/row-values';
import { afterPlace, type OrderPart, PLACE } from '../../platform/database/statements/row-order';
import { conditionOf, termsOf, valuesOfTerms } from '../../platform/database/statements/where';
import { fieldsOf } from './record-fields';
import type { RecordFilter, RecordOrder, RecordPosition, TimeSpan } from './list-request';

type Query = SelectQueryBuilder<{ readonly id: bigint }>;

/** A condition of a filter for which an index finds the rows. */
export interface Lead {
  /** The member it restricts. */
  readonly name: string;
  /** True for a single value: the index has its rows in the order of their ids. */
  readonly isExact?: boolean;
  /** A filter with this condition only. */
  readonly filter: RecordFilter;
}

/** Conditions of queries on records, whose rows have the alias `row`. */
export class RecordConditions {
  constructor(private readonly database: Database) {}

  /** Adds the conditions of a filter, and selects the stored members that are not documented fields. */
  select(query: Query, records: AdminRecords, filter: RecordFilter): Query {
    if (this.metadataOf(records).findColumnWithPropertyName('createdAt')) query.addSelect('row.createdAt');
    if (this.metadataOf(records).deleteDateColumn) query.addSelect('row.removedAt');
    return this.restrict(query, records, filter);
  }

  /** Adds the conditions of a filter. */
  restrict(query: Query, records: AdminRecords, filter: RecordFilter): Query {
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

  /** Keeps the rows after a position in an order. */
  startAfter(
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

  /** Formats an instant for a raw condition: TypeORM converts only the values of columns. */
  private instant(value: Date): string {
    return String(bindable(value, this.database.engine));
  }

  /** The conditions of a filter for which an index finds the rows. */
  leads(records: AdminRecords, { fields = {}, conditions = {}, times = {} }: RecordFilter): Lead[] {
    const { indices } = this.metadataOf(records);
    const texts = new Set(
      fieldsOf(records.record).flatMap(({ name, kind }) => (kind === 'text' ? [name] : [])),
    );
    const exact = Object.entries(fields).filter(([name]) => !texts.has(name));
    const leads: Lead[] = [
      ...exact.map(([name, value]) => ({ name, isExact: true, filter: { fields: { [name]: value } } })),
      ...Object.entries(times).map(([name, span]) => ({ name, filter: { times: { [name]: span } } })),
    ];
    const indexed = leads.filter(({ name }) =>
      indices.some(({ columns, where }) => columns[0]?.propertyName === name && !where),
    );
    // The parameters of a list name columns with an index.
    return [
      ...indexed,
      ...Object.entries(conditions).map(([name, value]) => ({
        name,
        isExact: typeof value !== 'object',
        filter: { conditions: { [name]: value } },
      })),
    ];
  }

  private metadataOf({ entity }: AdminRecords): EntityMetadata {
    return this.database.dataSource.getMetadata(entity);
  }
}
