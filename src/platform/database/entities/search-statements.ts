import type { EntityMetadata, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { Database } from '../database';
import { EXACT_PLACE, exactPlaceSql } from '../statements/exact-place';
import { hasRowsApart, indexedOrders, membersAheadIn } from '../statements/list-indexes';
import { afterPlace, inPart, type OrderPart, PLACE, type RowOrder, sortKeys } from '../statements/row-order';
import { parameters, type Statement } from '../statements/statement';
import {
  type ColumnSql,
  conditionOf,
  hasValue,
  isExact,
  isStretch,
  metByPlace,
  shapeOf,
  type Term,
  termParameters,
} from '../statements/where';
import { walkedConditionOf } from '../statements/walked-condition';
import type { EntityStatements } from './entity-statements';

/** Most rows that one statement of a list looks at where no index has the rows that all conditions leave. */
const SEARCHED_ROWS = 1_000;

/** Where a page is searched: in one part of a list in an order, from its beginning or after a place. */
export interface Stretch {
  readonly terms: readonly Term[];
  readonly order: RowOrder;
  readonly part: OrderPart;
  readonly isAfter: boolean;
  /** Members with conditions of the service, such as the owner: of rows that do not meet these, callers learn nothing. */
  readonly demanded: ReadonlySet<string>;
}

/** Marks of a row that was looked at: one that matches, and the last of {@link SEARCHED_ROWS}. */
export const MARKS = { match: 'is_match', end: 'is_end' } as const;

/** The statements of pages with conditions that no index has together: each looks at {@link SEARCHED_ROWS} rows at most. */
export class SearchStatements<Entity extends ObjectLiteral> {
  private readonly metadata: EntityMetadata;
  private readonly prepared = new Map<string, Statement<Entity>>();

  constructor(
    private readonly database: Database,
    private readonly statements: EntityStatements<Entity>,
  ) {
    this.metadata = statements.metadata;
  }

  /**
   * Tells whether rows may have to be passed over: no index has those that the conditions leave, in the order.
   *
   * @throws Error when no index has that order
   */
  isSearch(terms: readonly Term[], order: RowOrder): boolean {
    return this.othersThanIndexed(terms, order).length > 0;
  }

  /** The matching rows among the first of a stretch. */
  matching(stretch: Stretch): Statement<Entity> {
    return this.once('matching', stretch, () => this.pageOf(this.matchingIds(stretch), stretch));
  }

  /**
   * The rows of {@link matching} and, if the stretch has as many, the last row that is looked at, with their {@link MARKS}. In one
   * statement: between two, others may remove rows, and the second would look farther than the first.
   */
  withEnd(stretch: Stretch): Statement<Entity> {
    return this.once('with end', stretch, () => {
      const end = `SELECT row.id ${this.looked(stretch)} LIMIT 1 OFFSET ${SEARCHED_ROWS - 1}`;
      const ids = [this.matchingIds(stretch), end].map(
        (some, index) => `SELECT "id" FROM (${some}) AS "some${index}"`,
      );
      return this.pageOf(ids.join(' UNION ALL '), stretch, {
        [MARKS.match]: this.matched(stretch),
        [MARKS.end]: `row.id = (${end})`,
      });
    });
  }

  /**
   * Returns the conditions whose rows an index has, member by member: few rows may meet one of them.
   *
   * @param isDemanded whether those of the service, or others
   */
  leads({ terms, order, demanded }: Stretch, isDemanded: boolean): (readonly Term[])[] {
    const indexed = indexedOrders(this.metadata);
    const others = this.othersThanIndexed(terms, order).filter(
      ({ name, comparison }) =>
        demanded.has(name) === isDemanded && indexed.includes(name) && comparison !== 'contains',
    );
    return [...Map.groupBy(others, ({ name }) => name).values()];
  }

  /** A row that shows that more than {@link SEARCHED_ROWS} meet the conditions on a member; none otherwise. */
  excess(lead: readonly Term[]): Statement<Entity> {
    return this.once('excess', lead, () =>
      this.prepare((query) => {
        const ids = `SELECT "id" FROM (${this.idsOf(lead)}) AS "some" LIMIT 1 OFFSET ${SEARCHED_ROWS}`;
        query
          .select('row.id', 'id')
          .where(`row.id = (${ids})`)
          .withDeleted()
          .setParameters(parameters(lead.flatMap(termParameters)));
      }),
    );
  }

  /** The matching rows of a stretch among the few that meet the conditions on a member. */
  amongFew(lead: readonly Term[], stretch: Stretch): Statement<Entity> {
    return this.once(`few ${shapeOf(lead)}`, stretch, () => {
      const others = stretch.terms.map((term) => this.condition(term, false, this.unindexed));
      const all = [this.placed(stretch), ...others, ...this.present];
      return this.pageOf(
        `SELECT row.id FROM (SELECT * FROM ${this.table} "row" WHERE ${this.among(this.idsOf(lead))}) "row" WHERE ${all.join(' AND ')} ${this.sorting(stretch)} LIMIT :page_limit`,
        stretch,
      );
    });
  }

  /** The page of the rows of some keys. @param marks texts where conditions are met, null elsewhere */
  private pageOf(
    ids: string,
    stretch: Stretch,
    marks: Readonly<Record<string, string>> = {},
  ): Statement<Entity> {
    const { order } = stretch;
    const { engine } = this.database;
    return this.prepare((query) => {
      if (order.by !== 'id' && !this.statements.names.includes(order.by)) {
        query.addSelect(`row.${order.by}`, order.by);
      }
      const place = exactPlaceSql(engine, this.metadata, order.by);
      if (place !== undefined) query.addSelect(place, EXACT_PLACE);
      for (const [name, condition] of Object.entries(marks)) {
        query.addSelect(`CASE WHEN ${condition} THEN 'yes' END`, name);
      }
      query.where(this.among(ids)).setParameters(this.parametersOf(stretch, 'page_limit'));
      for (const key of this.keys(order.by)) query.addOrderBy(key, directionOf(order));
    });
  }

  private prepare(restrict: (query: SelectQueryBuilder<Entity>) => void): Statement<Entity> {
    return this.database.prepare<Entity>(
      (manager) => {
        const query = this.statements.select(manager);
        restrict(query);
        return query;
      },
      '',
      { isPipelined: true },
    );
  }

  private matchingIds(stretch: Stretch): string {
    const looked = `SELECT * ${this.looked(stretch)} LIMIT ${SEARCHED_ROWS}`;
    // SQLite reads a subquery in the order that it has, but would sort it once more, and so read all of it.
    const sorting = this.database.engine === 'sqlite' ? '' : this.sorting(stretch);
    return `SELECT row.id FROM (${looked}) "row" WHERE ${this.matched(stretch)} ${sorting} LIMIT :page_limit`;
  }

  /** The condition of the rows that match among those that are looked at. */
  private matched({ terms, order, demanded }: Stretch): string {
    const others = this.othersThanIndexed(terms, order).filter(({ name }) => !demanded.has(name));
    return ['1 = 1', ...others.map((term) => this.condition(term))].join(' AND ');
  }

  /**
   * The rows of a stretch that the caller may know of, whether the other conditions match them or not, in the order of their index:
   * a cursor tells of the last.
   */
  private looked(stretch: Stretch): string {
    const { terms, order, demanded } = stretch;
    const ahead = this.ahead(terms, order);
    const walked = [...ahead.slice(0, 1), order.by];
    const others = this.othersThanIndexed(terms, order);
    // A bound that the position meets is none: the more bounds, the fewer rows PostgreSQL expects.
    const met =
      stretch.isAfter && stretch.part !== 'nulls' ? metByPlace(terms, order.by, order.descending) : [];
    const indexed = terms
      .filter((term) => !others.includes(term) && !met.includes(term))
      .map((term) => this.condition(term, walked.includes(term.name)));
    const demands = others
      .filter(({ name }) => demanded.has(name))
      .map((term) => this.condition(term, false, this.unindexed));
    const members = [...ahead, ...(order.by === 'id' && ahead.length > 0 ? [] : [order.by])].join();
    const present = this.presentAmong(
      hasRowsApart(this.metadata, members, 'present') ? (name) => `row.${name}` : this.unindexed,
    );
    const conditions = [this.placed(stretch), ...indexed, ...demands, ...present];
    return `FROM ${this.table} "row" WHERE ${conditions.join(' AND ')} ${this.sorting(stretch)}`;
  }

  /** The keys of the rows that meet the conditions on a member, one more than a search looks at, of each value. */
  private idsOf(lead: readonly Term[]): string {
    const { engine } = this.database;
    const [{ name }] = lead as [Term];
    const whole = lead
      .filter(({ comparison }) => comparison !== 'in')
      .map((term) => this.condition(term, true));
    const values = lead.filter(({ comparison }) => comparison === 'in').flatMap(termParameters);
    const each = values.map((value) => hasValue(engine, this.metadata, name, `row.${name}`, value));
    return (each.length > 0 ? each : ['1 = 1'])
      .map((value, index) => {
        const conditions = [value, ...whole, ...this.presentIn(name)].join(' AND ');
        return `SELECT "id" FROM (SELECT row.id FROM ${this.table} "row" WHERE ${conditions} ORDER BY ${this.keys(name)[0]} LIMIT ${SEARCHED_ROWS + 1}) AS "some${index}"`;
      })
      .join(' UNION ALL ');
  }

  private among(ids: string): string {
    if (this.database.engine === 'sqlite') return `row.id IN (${ids})`;
    // Of a subquery PostgreSQL may expect so many rows that it walks through all ids beside it.
    return `row.id = ANY(ARRAY(${ids}))`;
  }

  /** Returns the conditions that the index of the walked rows does not have. */
  private othersThanIndexed(terms: readonly Term[], order: RowOrder): Term[] {
    const ahead = this.ahead(terms, order);
    return terms.filter(
      (term) => !(isExact(term) && ahead.includes(term.name)) && !(term.name === order.by && isStretch(term)),
    );
  }

  private ahead(terms: readonly Term[], { by }: RowOrder): readonly string[] {
    return membersAheadIn(this.metadata, terms, by);
  }

  private condition(term: Term, isWalked = false, column: ColumnSql = (name) => `row.${name}`): string {
    const condition = isWalked ? walkedConditionOf : conditionOf;
    return condition(this.database.engine, this.metadata, term, column);
  }

  /** Behind a plus, SQLite does not use the index on a column. */
  private readonly unindexed: ColumnSql = (name) =>
    this.database.engine === 'sqlite' ? `+(row.${name})` : `row.${name}`;

  private placed({ order, part, isAfter }: Stretch): string {
    return isAfter
      ? afterPlace(this.database.engine, this.metadata, order, part)
      : inPart(this.metadata, order, part);
  }

  private sorting({ terms, order }: Stretch): string {
    const keys = [...this.statements.keysOf(this.ahead(terms, order)), ...this.keys(order.by)];
    return `ORDER BY ${keys.map((key) => `${key} ${directionOf(order)}`).join(', ')}`;
  }

  private keys(by: string): string[] {
    return sortKeys(this.database.engine, this.metadata, by);
  }

  private get table(): string {
    return `"${this.metadata.tableName}"`;
  }

  private get present(): string[] {
    return this.presentAmong((name) => `row.${name}`);
  }

  private presentAmong(column: ColumnSql): string[] {
    const { deleteDateColumn } = this.metadata;
    return deleteDateColumn ? [`${column(deleteDateColumn.propertyName)} IS NULL`] : [];
  }

  /** Leaves out removed rows where an index on some members has none; others pass over them, or read another index. */
  private presentIn(members: string): string[] {
    return hasRowsApart(this.metadata, members, 'present') ? this.present : [];
  }

  private parametersOf({ terms }: Stretch, ...others: string[]): Record<string, unknown> {
    return parameters([...terms.flatMap(termParameters), ...Object.values(PLACE), ...others]);
  }

  private once(
    what: string,
    of: Stretch | readonly Term[],
    prepare: () => Statement<Entity>,
  ): Statement<Entity> {
    const { terms, order, part, isAfter, demanded }: Partial<Stretch> = 'order' in of ? of : { terms: of };
    const name = `${what} ${shapeOf(terms)} ${order?.by} ${order?.descending} ${part} ${isAfter} ${[...(demanded ?? [])].join()}`;
    let statement = this.prepared.get(name);
    if (!statement) this.prepared.set(name, (statement = prepare()));
    return statement;
  }
}

function directionOf({ descending }: RowOrder): 'ASC' | 'DESC' {
  return descending ? 'DESC' : 'ASC';
}
