import type { ObjectLiteral } from 'typeorm';
import type { Database } from '../database';
import type { RowOrder } from '../statements/row-order';
import type { StatementValues } from '../statements/statement';
import { shapeOf, type Term } from '../statements/where';
import type { EntityStatements } from './entity-statements';
import { MARKS, SearchStatements, type Stretch } from './search-statements';

/** Rows of a part of a list that a search has found. */
export interface Found<Entity> {
  readonly rows: readonly Entity[];
  /** The last row that was looked at, one that the caller may know of, if more follow. */
  readonly lookedTo?: Entity | undefined;
}

/**
 * Searches pages whose conditions no index has together. It looks at a bounded number of rows for a page, however many the table
 * has: those that follow in the order of the list, or all that meet one of the conditions, where these are few.
 */
export class PageSearch<Entity extends ObjectLiteral> {
  private readonly statements: SearchStatements<Entity>;
  private readonly searches = new Map<string, boolean>();

  constructor(
    private readonly database: Database,
    statements: EntityStatements<Entity>,
  ) {
    this.statements = new SearchStatements(database, statements);
  }

  /** Tells whether a list has to be searched: no index has the rows that the conditions leave, in its order. */
  isNeeded(terms: readonly Term[], order: RowOrder): boolean {
    if (terms.length === 0) return false;
    const shape = `${shapeOf(terms)} ${order.by}`;
    let isSearch = this.searches.get(shape);
    if (isSearch === undefined) {
      this.searches.set(shape, (isSearch = this.statements.isSearch(terms, order)));
    }
    return isSearch;
  }

  /**
   * Searches one part of a list.
   *
   * @param values of the conditions and of the position, and `page_limit`
   */
  async find(stretch: Stretch, values: StatementValues): Promise<Found<Entity>> {
    const { database, statements } = this;
    // First, because rows that do not meet the conditions of the service are passed over, however many they are.
    const demanded = await this.findAmongFew(statements.leads(stretch, true), stretch, values);
    if (demanded) return { rows: demanded };
    const first = await database.queryReplica(statements.matching(stretch), values);
    if (first.length === values['page_limit']) return { rows: first };
    const looked = await database.queryReplica(statements.withEnd(stretch), values);
    const lookedTo = looked.find((row) => row[MARKS.end] !== null);
    const rows = looked.filter((row) => row[MARKS.match] !== null).slice(0, Number(values['page_limit']));
    for (const row of looked) for (const name of Object.values(MARKS)) Reflect.deleteProperty(row, name);
    if (!lookedTo) return { rows };
    const few = await this.findAmongFew(statements.leads(stretch, false), stretch, values);
    return few ? { rows: few } : { rows, lookedTo };
  }

  /** The matching rows of a stretch, if few rows meet one of some conditions. */
  private async findAmongFew(
    leads: readonly (readonly Term[])[],
    stretch: Stretch,
    values: StatementValues,
  ): Promise<readonly Entity[] | undefined> {
    const { database, statements } = this;
    for (const lead of leads) {
      const excess = statements.excess(lead);
      if ((await database.queryReplica(excess, values)).length > 0) continue;
      const rows = await database.queryReplica(statements.amongFew(lead, stretch), values);
      // Others may have added some meanwhile.
      if ((await database.queryReplica(excess, values)).length === 0) return rows;
    }
    return undefined;
  }
}
