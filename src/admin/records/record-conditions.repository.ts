import type { EntityMetadata, ObjectLiteral, Repository, SelectQueryBuilder } from 'typeorm';
import type { AdminRecords } from '../../platform/features/admin-records';
import type { Database } from '../../platform/database/database';
import { exactPlace, exactPlaceSql } from '../../platform/database/statements/exact-place';
import { hasRowsApart, isInOrder, type ListedRows } from '../../platform/database/statements/list-indexes';
import { bindable, type BoundValue } from '../../platform/database/statements/row-values';
import { afterPlace, type OrderPart, PLACE } from '../../platform/database/statements/row-order';
import { textIndexesOf } from '../../platform/database/statements/text-index';
import {
  conditionOf,
  isCondition,
  isDecimal,
  leadingConditionOf,
  meets,
  metByPlace,
  type Term,
  termsOf,
  valuesOfTerms,
} from '../../platform/database/statements/where';
import type { RecordFilter, RecordOrder, RecordPosition } from './list-request';
import type { ExactPlaces } from './stored-record';

export type Row = { readonly id: bigint };
export type Query = SelectQueryBuilder<Row>;
type Where = NonNullable<RecordFilter['where']>;

const LISTED_ROWS = { without: 'present', only: 'removed', with: 'all' } as const;

/** A condition of a filter for which an index finds the rows. */
export interface Lead {
  /** The member it restricts; the id if it says only whether rows are removed. */
  readonly name: string;
  /** True for a single value or none: the index has its rows in the order of their ids. */
  readonly isExact?: boolean;
  readonly where: Where;
  /** Rows that the index is asked for. */
  readonly rows: ListedRows;
}

/** Place of conditions in a list. */
interface ListPlace {
  /** The condition whose index has the rows in the order of the list. */
  readonly lead?: Pick<Lead, 'name'> | undefined;
  readonly order?: RecordOrder;
  readonly part?: OrderPart;
  /** Position after which the rows come. */
  readonly place?: RecordPosition | undefined;
}

/** Conditions of queries on records, whose rows have the alias `row`. */
export class RecordConditions {
  constructor(private readonly database: Database) {}

  /** A query of all rows of a table, removed ones too: what is added to a query must only ever restrict it further. */
  all(table: Repository<Row>): Query {
    return table.createQueryBuilder('row').withDeleted();
  }

  /** A query of the rows that a filter matches. */
  matching(table: Repository<Row>, records: AdminRecords, filter: RecordFilter, list: ListPlace = {}): Query {
    const { ids, where = {} } = filter;
    const query = this.ofRows(this.all(table), records, this.rowsOf(filter));
    if (ids) query.andWhere('row.id IN (:...ids)', { ids });
    return this.restrict(query, records, where, list);
  }

  /** The rows that a filter asks for, by whether they are removed. */
  rowsOf({ removed = 'without' }: RecordFilter): ListedRows {
    return LISTED_ROWS[removed];
  }

  /** Keeps rows by whether they are removed. */
  ofRows(query: Query, records: AdminRecords, rows: ListedRows): Query {
    if (rows === 'all' || !this.metadataOf(records).deleteDateColumn) return query;
    return query.andWhere(`row.removedAt IS ${rows === 'removed' ? 'NOT NULL' : 'NULL'}`);
  }

  /** Selects the stored members that are not documented fields, too. */
  withStored(query: Query, records: AdminRecords): Query {
    if (this.metadataOf(records).findColumnWithPropertyName('createdAt')) query.addSelect('row.createdAt');
    if (this.metadataOf(records).deleteDateColumn) query.addSelect('row.removedAt');
    return query;
  }

  /** Selects the exact places of rows in orders, by members. */
  withPlaces(query: Query, records: AdminRecords, orders: readonly string[]): Query {
    for (const by of orders) {
      const place = exactPlaceSql(this.database.engine, this.metadataOf(records), by);
      if (place !== undefined) query.addSelect(place, placeName(by));
    }
    return query;
  }

  /** The exact places that {@link withPlaces} has selected. */
  placesIn(raw: ObjectLiteral, records: AdminRecords, orders: readonly string[]): ExactPlaces {
    const metadata = this.metadataOf(records);
    const placeOf = (by: string) => exactPlace(metadata.findColumnWithPropertyName(by), raw[placeName(by)]);
    return Object.fromEntries(orders.map((by) => [by, placeOf(by)] as const));
  }

  /** Adds conditions on fields. */
  restrict(query: Query, records: AdminRecords, where: Where, list: ListPlace = {}): Query {
    const { engine } = this.database;
    const metadata = this.metadataOf(records);
    const terms = termsOf(where);
    for (const [name, value] of Object.entries(valuesOfTerms(terms))) {
      query.setParameter(name, bindable(value, engine));
    }
    const met = this.metByPlace(records, terms, list);
    for (const term of terms.filter((each) => !met.includes(each))) {
      const condition = term.name === list.lead?.name ? leadingConditionOf : conditionOf;
      query.andWhere(condition(engine, metadata, term, (name) => `row.${name}`));
    }
    return query;
  }

  /** The bounds that the rows after a position meet: of two on one side PostgreSQL may begin at the one that is farther away. */
  private metByPlace(
    records: AdminRecords,
    terms: readonly Term[],
    { order, part, place }: ListPlace,
  ): Term[] {
    if (!order || !place || part === 'nulls') return [];
    const isNumber = isDecimal(this.metadataOf(records), order.by);
    const met = metByPlace(terms, order.by, order.descending);
    return met.every((term) => meets((place.exact ?? place.value) as BoundValue, term, isNumber)) ? met : [];
  }

  /** Keeps the rows after a position in an order. */
  startAfter(
    query: Query,
    records: AdminRecords,
    order: RecordOrder,
    part: OrderPart,
    { value, exact, id }: RecordPosition,
  ): void {
    const place = afterPlace(this.database.engine, this.metadataOf(records), order, part);
    query.andWhere(place, {
      [PLACE.id]: id,
      // TypeORM converts only the values of columns.
      ...(part !== 'nulls' && {
        [PLACE.value]: exact ?? (value instanceof Date ? bindable(value, this.database.engine) : value),
      }),
    });
  }

  /** The conditions of a filter for which an index finds the rows. */
  leads(records: AdminRecords, filter: RecordFilter): Lead[] {
    const metadata = this.metadataOf(records);
    const texts = textIndexesOf(metadata).flatMap(({ property, ahead = [] }) =>
      ahead.length === 0 ? [property] : [],
    );
    const isIndexed = (name: string) =>
      metadata.indices.some(({ columns, where: part }) => columns[0]?.propertyName === name && !part) ||
      isInOrder(metadata, name, this.rowsOf(filter)) ||
      texts.includes(name);
    const rowsBy = (name: string) => {
      const rows = this.rowsOf(filter);
      return hasRowsApart(metadata, name, rows) ? rows : 'all';
    };
    const leads = Object.entries(filter.where ?? {}).flatMap(([name, wanted]) => {
      const isExact = !isCondition(wanted) || wanted.isSet === false || wanted.in?.length === 1;
      const found = isExact ? wanted : { ...wanted, contains: undefined };
      const isLead = isIndexed(name) && termsOf({ [name]: found }).length > 0;
      return isLead ? [{ name, isExact, where: { [name]: found }, rows: rowsBy(name) }] : [];
    });
    return rowsBy('id') === 'removed' ? [...leads, { name: 'id', where: {}, rows: 'removed' }] : leads;
  }

  /**
   * Tells whether an index has the rows that a filter matches, in an order, and no others.
   *
   * @param name the member of the condition whose index has the rows in that order
   */
  areAll(records: AdminRecords, filter: RecordFilter, name: string | undefined, order: RecordOrder): boolean {
    const metadata = this.metadataOf(records);
    const rows = this.rowsOf(filter);
    const areApart =
      rows === 'all' || !metadata.deleteDateColumn || hasRowsApart(metadata, name ?? order.by, rows);
    const conditions = Object.entries(filter.where ?? {}).filter(([, wanted]) => wanted !== undefined);
    return (
      areApart &&
      conditions.every(
        ([member, wanted]) => member === name && !(isCondition(wanted) && wanted.contains !== undefined),
      )
    );
  }

  private metadataOf({ entity }: AdminRecords): EntityMetadata {
    return this.database.dataSource.getMetadata(entity);
  }
}

/** Name of the exact place of a row in the order of a member. */
function placeName(by: string): string {
  return `exact_${by}`;
}
