import type { EntityMetadata, Repository } from 'typeorm';
import type { AdminRecords } from '../../platform/features/admin-records';
import type { Database } from '../../platform/database/database';
import { areInTwo, hasRowsApart, type ListedRows } from '../../platform/database/statements/list-indexes';
import {
  inPart,
  isSplit,
  type OrderPart,
  orderParts,
  partsAfter,
  sortKeys,
} from '../../platform/database/statements/row-order';
import type { RecordFilter, RecordOrder, RecordPosition } from './list-request';
import { type Lead, type Query, RecordConditions, type Row } from './record-conditions.repository';

/** Rows of a part of a list: from its beginning or after a position in it, up to a number of rows. */
export interface Stretch {
  readonly order: RecordOrder;
  readonly part: OrderPart;
  readonly place: RecordPosition | undefined;
  /** Most rows; all of them unless set. */
  readonly window?: number | undefined;
  /** Most rows that are asked for. */
  readonly limit?: number;
  /** The condition whose index has the rows in the order. */
  readonly lead?: Lead | undefined;
  /** A condition that few rows meet: they are all read, and sorted. */
  readonly few?: Lead | undefined;
}

/** A part of a list, and the position after which it is left to read. */
export interface ListPart {
  readonly part: OrderPart;
  readonly place: RecordPosition | undefined;
}

/** Most records that are read at once if an index finds them. */
export const FEW = 20_000;

/** Queries of the rows of lists, whose rows have the alias `row`. Pages, counts, exports and bulk changes all begin with them. */
export class RecordStretches {
  private readonly conditions = new RecordConditions(this.database);

  constructor(private readonly database: Database) {}

  /** The rows of a stretch of a list. */
  matching(table: Repository<Row>, records: AdminRecords, filter: RecordFilter, stretch: Stretch): Query {
    const query = this.conditions.matching(table, records, filter, stretch);
    if (stretch.few) {
      this.from(query, this.few(table, records, stretch.few));
      this.inStretch(query, records, { ...stretch, lead: undefined });
    } else if (stretch.window === undefined) {
      this.inStretch(query, records, stretch);
      if (this.isInTwo(records, memberOf(stretch), this.conditions.rowsOf(filter))) {
        this.fromTwo(query, stretch.limit ?? FEW, (rows) => {
          const part = this.conditions.matching(table, records, { ...filter, removed: rows }, stretch);
          this.inStretch(part, records, stretch);
          return this.sorted(part, records, stretch);
        });
      }
    } else
      this.from(query, this.looked(table, records, filter, stretch).select('"row".*').limit(stretch.window));
    return query;
  }

  /** The rows that a search of a stretch looks at, in its order, whether a filter matches them or not. */
  looked(table: Repository<Row>, records: AdminRecords, filter: RecordFilter, stretch: Stretch): Query {
    const query = this.conditions.all(table);
    const member = memberOf(stretch);
    const rows = this.conditions.rowsOf(filter);
    if (this.isInTwo(records, member, rows)) {
      this.fromTwo(query, stretch.window ?? FEW, (removed) =>
        this.looked(table, records, { removed }, stretch),
      );
      return this.sorted(query, records, stretch);
    }
    if (hasRowsApart(this.metadataOf(records), member, rows)) {
      this.conditions.ofRows(query, records, rows);
    }
    if (stretch.lead) this.conditions.restrict(query, records, stretch.lead.where, stretch);
    this.inStretch(query, records, stretch);
    return this.sorted(query, records, stretch);
  }

  /** The rows that a condition leaves, up to {@link FEW}: its index finds them. */
  few(table: Repository<Row>, records: AdminRecords, lead: Lead): Query {
    const query = this.conditions.ofRows(this.conditions.all(table), records, lead.rows);
    if (this.isInTwo(records, lead.name, lead.rows)) {
      this.fromTwo(query, FEW, (removed) =>
        this.few(table, records, { ...lead, rows: this.conditions.rowsOf({ removed }) }),
      );
      return query.select('"row".*').limit(FEW);
    }
    this.conditions.restrict(query, records, lead.where, { lead });
    for (const key of this.keysOf(records, lead.name)) query.addOrderBy(key);
    return query.select('"row".*').limit(FEW);
  }

  /** Sorts rows in the order of a stretch. */
  sorted(query: Query, records: AdminRecords, { order, lead }: Stretch): Query {
    const ahead = lead && lead.name !== order.by ? this.keysOf(records, lead.name).slice(0, 1) : [];
    for (const key of [...ahead, ...this.keysOf(records, order.by)]) {
      query.addOrderBy(key, order.descending ? 'DESC' : 'ASC');
    }
    return query;
  }

  /** The parts of a list that are left to read: all of them, or from a position on. */
  partsOf(
    records: AdminRecords,
    { order, few }: Pick<Stretch, 'order' | 'few'>,
    place: RecordPosition | undefined,
  ): ListPart[] {
    const metadata = this.metadataOf(records);
    const parts = orderParts(metadata, order);
    if (!place) return parts.map((part) => ({ part, place }));
    const own = place.value === null && parts.includes('nulls') ? 'nulls' : 'values';
    // Few rows are sorted anyway: in two parts they would be read twice.
    const left = few
      ? parts.slice(parts.indexOf(own))
      : partsAfter(this.database.engine, metadata, order, own);
    return left.map((part) => ({ part, place: part === own || isSplit(part) ? place : undefined }));
  }

  /** Restricts a query to a part of a list, after a position if the stretch has one. */
  private inStretch(query: Query, records: AdminRecords, { order, part, place }: Stretch): void {
    if (place) this.conditions.startAfter(query, records, order, part, place);
    else query.andWhere(inPart(this.metadataOf(records), order, part));
  }

  /** Tells whether an index has the rows that are there, and another the removed ones. */
  private isInTwo(records: AdminRecords, member: string, rows: ListedRows): boolean {
    return rows === 'all' && areInTwo(this.metadataOf(records), member);
  }

  /** Makes a query read the first rows of those that are there, and of removed ones, alone: each from its own index. */
  private fromTwo(query: Query, limit: number, rowsOf: (removed: 'without' | 'only') => Query): void {
    this.from(
      query,
      ...(['without', 'only'] as const).map((removed) => rowsOf(removed).select('"row".*').limit(limit)),
    );
  }

  /** Makes a query read the rows of others alone: an index of its own conditions would find others. */
  private from(query: Query, ...rows: readonly Query[]): void {
    const { mainAlias } = query.expressionMap;
    const parts = rows.map((part) => `SELECT * FROM (${part.getQuery()}) AS "part"`);
    if (mainAlias) mainAlias.subQuery = `(${parts.join(' UNION ALL ')})`;
    for (const part of rows) query.setParameters(part.getParameters());
  }

  private keysOf(records: AdminRecords, by: string): string[] {
    return sortKeys(this.database.engine, this.metadataOf(records), by);
  }

  private metadataOf({ entity }: AdminRecords): EntityMetadata {
    return this.database.dataSource.getMetadata(entity);
  }
}

/** The member whose index has the rows of a stretch. */
function memberOf({ lead, order }: Stretch): string {
  return lead?.name ?? order.by;
}
