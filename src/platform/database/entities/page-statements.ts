import type { EntityMetadata, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { Database } from '../database';
import type { EntityStatements } from './entity-statements';
import { EXACT_PLACE, exactPlaceSql } from '../statements/exact-place';
import { membersAhead, membersAheadIn } from '../statements/list-indexes';
import {
  afterPlace,
  inPart,
  type OrderPart,
  orderKeys,
  orderParts,
  partsAfter,
  PLACE,
  readOrderValue,
  type RowOrder,
  sortKeys,
} from '../statements/row-order';
import type { BoundValue } from '../statements/row-values';
import { parameter, parameters, type Statement } from '../statements/statement';
import { hasValue, metByPlace, termParameters, shapeOf, type Term } from '../statements/where';

/** The statements of an entity's pages, each compiled when it is first asked for. */
export class PageStatements<Entity extends ObjectLiteral> {
  private readonly metadata: EntityMetadata;
  private readonly prepared = new Map<string, Statement<Entity>>();

  constructor(
    private readonly database: Database,
    private readonly statements: EntityStatements<Entity>,
  ) {
    this.metadata = statements.metadata;
  }

  /** The rows that meet some conditions after a key, in ascending order of keys. */
  byId(terms: readonly Term[]): Statement<Entity> {
    return this.once(shapeOf(terms), () =>
      this.prepare((query) => {
        const after = { page_after: parameter('page_after') };
        const [some] = terms.filter(({ comparison }) => comparison === 'in');
        if (some && terms.length === 1) {
          query
            .where(this.inSome(some))
            .setParameters({ ...after, ...parameters([...termParameters(some), 'page_limit']) });
        } else {
          const ahead = membersAhead(this.metadata, terms) ?? [];
          this.statements.restrict(query.where('row.id > :page_after', after), terms, ahead.slice(0, 1));
          for (const key of this.statements.keysOf(ahead)) query.addOrderBy(key);
        }
        query.addOrderBy('row.id');
      }),
    );
  }

  /**
   * The rows that meet some conditions in an order: those of one part of the list.
   *
   * @param isAfter whether only those after a place
   * @throws Error when no index has that order
   */
  inOrder(terms: readonly Term[], order: RowOrder, part: OrderPart, isAfter: boolean): Statement<Entity> {
    const { by, descending } = order;
    return this.once(`${shapeOf(terms)} ${by} ${descending} ${part} ${isAfter}`, () => {
      const ahead = membersAheadIn(this.metadata, terms, by);
      return this.prepare((query) => this.selectInOrder(query, terms, ahead, order, part, isAfter));
    });
  }

  /** Returns the parts of a list in an order: all of them, or from a position on, which is in a part. */
  partsOf(order: RowOrder, from?: OrderPart): OrderPart[] {
    const { engine } = this.database;
    return from ? partsAfter(engine, this.metadata, order, from) : orderParts(this.metadata, order);
  }

  /** Reads the value of an order's column from a cursor; undefined without a column or a value. */
  readValue({ by }: RowOrder, text: string | null): BoundValue {
    const column = this.metadata.findColumnWithPropertyName(by);
    return column && text !== null ? readOrderValue(column, text) : undefined;
  }

  private once(name: string, prepare: () => Statement<Entity>): Statement<Entity> {
    let statement = this.prepared.get(name);
    if (!statement) this.prepared.set(name, (statement = prepare()));
    return statement;
  }

  private prepare(restrict: (query: SelectQueryBuilder<Entity>) => void): Statement<Entity> {
    return this.database.prepare<Entity>(
      (manager) => {
        const query = this.statements.select(manager);
        restrict(query);
        return query;
      },
      'LIMIT :page_limit',
      { isPipelined: true },
    );
  }

  /**
   * The next keys of the rows with one of several values: those with each value from its part of the index, where they are in
   * order. Asked with IN alone, SQLite sorts all rows that have one of the values, for each page.
   */
  private inSome(term: Term): string {
    const { engine } = this.database;
    const { tableName, deleteDateColumn } = this.metadata;
    const column = `"${this.metadata.findColumnWithPropertyName(term.name)?.databaseName}"`;
    const isThere = deleteDateColumn ? ` AND "${deleteDateColumn.databaseName}" IS NULL` : '';
    const [key] = orderKeys(engine, this.metadata, term.name, column);
    const some = termParameters(term).map((value) => {
      const isValue = hasValue(engine, this.metadata, term.name, column, value);
      return `SELECT "id" FROM (SELECT "id" FROM "${tableName}" WHERE ${isValue} AND "id" > :page_after${isThere} ORDER BY ${key}, "id" LIMIT :page_limit) AS "${value}"`;
    });
    if (some.length === 0) return '1 = 0';
    const ids = some.join(' UNION ALL ');
    if (engine === 'sqlite') return `row.id IN (${ids})`;
    // The last value may stand in several places: its rows count once.
    // Of a subquery with an unknown limit PostgreSQL expects so many rows that it may walk through all ids beside it.
    return `row.id = ANY(ARRAY(SELECT DISTINCT "id" FROM (${ids}) AS "some" ORDER BY "id" LIMIT :page_limit))`;
  }

  private selectInOrder(
    query: SelectQueryBuilder<Entity>,
    terms: readonly Term[],
    ahead: readonly string[],
    order: RowOrder,
    part: OrderPart,
    isAfter: boolean,
  ): void {
    const { engine } = this.database;
    const column = this.metadata.findColumnWithPropertyName(order.by);
    // A page ends at a value, also at one that is not served, such as `createdAt`.
    if (column && !this.statements.names.includes(order.by) && order.by !== 'id') {
      query.addSelect(`row.${order.by}`, order.by);
    }
    const place = exactPlaceSql(engine, this.metadata, order.by);
    if (place !== undefined) query.addSelect(place, EXACT_PLACE);
    query
      .where(isAfter ? afterPlace(engine, this.metadata, order, part) : inPart(this.metadata, order, part))
      .setParameters(parameters(Object.values(PLACE)));
    // Of two bounds on one side PostgreSQL may begin at the one that is farther away, and read all rows in between.
    const met = isAfter && part !== 'nulls' ? metByPlace(terms, order.by, order.descending) : [];
    const others = terms.filter((term) => !met.includes(term));
    this.statements.restrict(query, others, [...ahead.slice(0, 1), order.by], (name) =>
      // Behind a plus, SQLite leaves other indexes alone: it would sort all rows that one of them finds, for each page.
      engine === 'sqlite' && name !== order.by && !ahead.includes(name) ? `+(row.${name})` : `row.${name}`,
    );
    const keys = sortKeys(engine, this.metadata, order.by);
    for (const key of [...this.statements.keysOf(ahead), ...keys]) {
      query.addOrderBy(key, order.descending ? 'DESC' : 'ASC');
    }
  }
}
