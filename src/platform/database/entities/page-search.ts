import type { ObjectLiteral } from 'typeorm';
import type { Database } from '../database';
import type { RowOrder } from '../statements/row-order';
import type { StatementValues } from '../statements/statement';
import { shapeOf, type Term } from '../statements/where';
import type { EntityStatements } from './entity-statements';
import { SearchStatements, type Stretch } from './search-statements';

/** Rows of a part of a list that a search has found. */
export interface Found<Entity> {
  readonly rows: readonly Entity[];
  /** The last row that was looked at, if more follow. */
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
    const rows = await database.queryReplica(statements.matching(stretch), values);
    if (rows.length === values['page_limit']) return { rows };
    const [lookedTo] = await database.queryReplica(statements.reach(stretch), values);
    if (!lookedTo) return { rows };
    for (const lead of statements.leads(stretch.terms, stretch.order)) {
      const excess = await database.queryReplica(statements.excess(lead), values);
      if (excess.length > 0) continue;
      return { rows: await database.queryReplica(statements.amongFew(lead, stretch), values) };
    }
    return { rows, lookedTo };
  }
}
