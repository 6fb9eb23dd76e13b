import type { EntityMetadata, Repository, SelectQueryBuilder } from 'typeorm';
import type { AdminRecords } from '../../platform/features/admin-records';
import type { Database } from '../../platform/database/database';
import { bindable } from '../../platform/database/statements/row-values';
import { afterPlace, type OrderPart, PLACE } from '../../platform/database/statements/row-order';
import { textIndexesOf } from '../../platform/database/statements/text-index';
import { conditionOf, isCondition, termsOf, valuesOfTerms } from '../../platform/database/statements/where';
import type { RecordFilter, RecordOrder, RecordPosition } from './list-request';

type Row = { readonly id: bigint };
type Query = SelectQueryBuilder<Row>;
type Where = NonNullable<RecordFilter['where']>;

/** A condition of a filter for which an index finds the rows. */
export interface Lead {
  /** The member it restricts. */
  readonly name: string;
  /** True for a single value: the index has its rows in the order of their ids. */
  readonly isExact?: boolean;
  readonly where: Where;
}

/** Conditions of queries on records, whose rows have the alias `row`. */
export class RecordConditions {
  constructor(private readonly database: Database) {}

  /** A query of all rows of a table, removed ones too: what is added to a query must only ever restrict it further. */
  all(table: Repository<Row>): Query {
    return table.createQueryBuilder('row').withDeleted();
  }

  /** A query of the rows that a filter matches. */
  matching(table: Repository<Row>, records: AdminRecords, filter: RecordFilter): Query {
    const { ids, where = {}, removed = 'without' } = filter;
    const query = this.all(table);
    if (removed === 'only') query.andWhere('row.removedAt IS NOT NULL');
    if (removed === 'without' && this.metadataOf(records).deleteDateColumn) {
      query.andWhere('row.removedAt IS NULL');
    }
    if (ids) query.andWhere('row.id IN (:...ids)', { ids });
    return this.restrict(query, records, where);
  }

  /** Selects the stored members that are not documented fields, too. */
  withStored(query: Query, records: AdminRecords): Query {
    if (this.metadataOf(records).findColumnWithPropertyName('createdAt')) query.addSelect('row.createdAt');
    if (this.metadataOf(records).deleteDateColumn) query.addSelect('row.removedAt');
    return query;
  }

  /** Adds conditions on fields. */
  restrict(query: Query, records: AdminRecords, where: Where): Query {
    const { engine } = this.database;
    const terms = termsOf(where);
    for (const [name, value] of Object.entries(valuesOfTerms(terms))) {
      query.setParameter(name, bindable(value, engine));
    }
    for (const term of terms) {
      query.andWhere(conditionOf(engine, this.metadataOf(records), term, (name) => `row.${name}`));
    }
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
      // TypeORM converts only the values of columns.
      ...(part === 'values' && {
        [PLACE.value]: value instanceof Date ? bindable(value, this.database.engine) : value,
      }),
    });
  }

  /** The conditions of a filter for which an index finds the rows. */
  leads(records: AdminRecords, { where = {} }: RecordFilter): Lead[] {
    const { indices } = this.metadataOf(records);
    const texts = textIndexesOf(this.metadataOf(records)).map(({ property }) => property);
    const isIndexed = (name: string) =>
      indices.some(({ columns, where: part }) => columns[0]?.propertyName === name && !part) ||
      texts.includes(name);
    return Object.entries(where).flatMap(([name, wanted]) => {
      const isExact = !isCondition(wanted);
      const found = isExact ? wanted : { ...wanted, contains: undefined, isSet: undefined };
      const isLead = isIndexed(name) && termsOf({ [name]: found }).length > 0;
      return isLead ? [{ name, isExact, where: { [name]: found } }] : [];
    });
  }

  private metadataOf({ entity }: AdminRecords): EntityMetadata {
    return this.database.dataSource.getMetadata(entity);
  }
}
