import type { Type } from '@nestjs/common';
import { type FindManyOptions, In } from 'typeorm';
import type { Database } from '../database';
import { bindable } from '../statements/row-values';
import {
  conditionOf,
  isExact,
  leadingConditionOf,
  type Term,
  termsOf,
  valuesOfTerms,
  type Where,
} from '../statements/where';

/** A page of a log, newest first. */
export interface LogWindow {
  /** Only rows older than the one with this id. */
  readonly before?: bigint | undefined;
  readonly limit: number;
}

/** A part of a log in another order, the largest value first. */
export interface LogOrder<Row> {
  readonly by?: (keyof Row & string) | undefined;
}

/** Result of one bounded search in a log. */
export interface FoundRows<Row> {
  /** Rows found, newest first. */
  readonly items: Row[];
  /** Oldest id that the search reached, if older rows are left to search; unset when as many were found as were asked for. */
  readonly lookedBackTo?: bigint | undefined;
}

/** Rows that one statement looks through: some ten milliseconds, so that other work gets its turn. */
export const ROWS_PER_SEARCH = 20_000;

/** Searches a log, a table whose ids ascend with the time, from its newest row on. */
export class LogSearch<Row extends { readonly id: bigint }> {
  private readonly metadata = this.database.dataSource.getMetadata(this.log);

  /** @param leads members with an index on them and the id, beginning with those that have the fewest rows for a value */
  constructor(
    private readonly database: Database,
    private readonly log: Type<Row>,
    private readonly leads: readonly (readonly (keyof Row & string)[])[],
  ) {}

  /**
   * Searches a bounded part of the log, however many rows there are and whatever the conditions are: the index of the first
   * lead that is set finds rows from the newest on, and the rest of the conditions decides about them.
   *
   * @param by member whose largest values within that part are found, in place of the newest rows
   * @param first id at which the search ends
   */
  search(
    where: Where<Row>,
    { before, limit, by }: LogWindow & LogOrder<Row>,
    first?: bigint,
  ): Promise<FoundRows<Row>> {
    const terms = termsOf(where);
    const valueOf = (member: string) => terms.find((term) => term.name === member && isExact(term));
    const lead =
      this.leads.map((members) => members.map(valueOf)).find((values) => values.every(Boolean)) ?? [];
    const rest = terms.filter((term) => !lead.includes(term));
    const isDecided = rest.length === 0 && by === undefined;
    const most = isDecided ? limit : ROWS_PER_SEARCH;

    const keys = lead.flatMap((term) => (term ? [this.column(term.name)] : []));
    const ordered = by === undefined ? [] : [by];
    const columns = new Set([
      '"id"',
      ...[...rest.map(({ name }) => name), ...ordered].map((name) => this.column(name)),
    ]);
    const looked = `SELECT ${[...columns].join(', ')} FROM "${this.metadata.tableName}" WHERE ${allOf(
      ...lead.map(
        (term, index) => term && this.condition(term, index === 0 ? leadingConditionOf : conditionOf),
      ),
      before !== undefined && '"id" < :before',
      first !== undefined && '"id" >= :first',
    )} ORDER BY ${[...keys, '"id"'].map((key) => `${key} DESC`).join(', ')} LIMIT ${most}`;
    const chosen = `SELECT "id" FROM (${looked}) AS "looked" WHERE ${allOf(
      ...rest.map((term) => this.condition(term)),
    )} ORDER BY ${[...ordered.map((name) => this.column(name)), '"id"'].map((key) => `${key} DESC`).join(', ')} LIMIT ${limit}`;
    const reach = `SELECT MIN("id") AS "last", COUNT(*) AS "count" FROM (${looked}) AS "looked"`;

    return this.database.scan(this.log, async (rows) => {
      const { driver } = this.database.dataSource;
      const values = { ...this.bound(terms), before, first };
      const select = <Found>(sql: string) =>
        rows.query<Found[]>(...driver.escapeQueryWithParameters(sql, values));
      const ids = (await select<{ id: bigint | string }>(chosen)).map(({ id }) => BigInt(id));
      const items = await rows.find({
        where: { id: In(ids) },
        order: { ...Object.fromEntries(ordered.map((name) => [name, 'DESC'])), id: 'DESC' },
      } as FindManyOptions<Row>);
      if (isDecided || (items.length === limit && by === undefined)) return { items };
      const [row] = await select<{ last: bigint | string; count: bigint | string }>(reach);
      return { items, lookedBackTo: row && Number(row.count) === most ? BigInt(row.last) : undefined };
    });
  }

  private condition(term: Term, condition = conditionOf): string {
    return condition(this.database.engine, this.metadata, term, (name) => this.column(name));
  }

  private column(member: string): string {
    return `"${this.metadata.findColumnWithPropertyName(member)?.databaseName}"`;
  }

  private bound(terms: readonly Term[]): Record<string, unknown> {
    const values = Object.entries(valuesOfTerms(terms));
    return Object.fromEntries(values.map(([name, value]) => [name, bindable(value, this.database.engine)]));
  }
}

/** Joins the conditions that there are; without any, every row meets it. */
function allOf(...conditions: readonly (string | false | undefined)[]): string {
  return conditions.filter(Boolean).join(' AND ') || '1 = 1';
}
