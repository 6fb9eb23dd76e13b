import type { Type } from '@nestjs/common';
import type { EntityMetadata } from 'typeorm';
import { type FilterKind, type ListFilter, listFilters, listOrder } from '../../validation/list-filters';
import { indexedOrders, type RowOrder } from '../statements/row-order';
import { textIndexesOf } from '../statements/text-index';
import type { Condition } from '../statements/where';

/** Filters and order of one query of a list, by the parameters that its class declares. */
export interface ListConditions {
  readonly where: Readonly<Record<string, unknown>>;
  readonly order: RowOrder | undefined;
}

/** Member of a condition for each kind of filter. */
const CONDITIONS = {
  values: 'in',
  from: 'from',
  to: 'to',
  before: 'before',
  prefix: 'prefix',
} as const satisfies Partial<Record<FilterKind, keyof Condition>>;

/** Lists of an entity: the filters and orders that the class of a query declares. */
export class EntityList {
  private readonly filters: readonly ListFilter[];
  private readonly order: ReturnType<typeof listOrder>;

  /** @throws Error when the class asks for what no index of the entity has */
  constructor(
    private readonly metadata: EntityMetadata,
    query: Type,
  ) {
    this.filters = listFilters(query);
    this.order = listOrder(query);
    for (const { parameter, field, kind } of this.filters) {
      if (!this.hasIndex(field, kind))
        this.refuse(`${query.name} filters by ${field} (${parameter})`, field, kind);
    }
    const orders = this.exactOrders();
    const unsorted = this.order?.fields.find((field) => !orders.includes(field));
    if (unsorted !== undefined) this.refuse(`${query.name} sorts by ${unsorted}`, unsorted, 'prefix');
  }

  /** Reads the filters and the order of a query. */
  read(query: object): ListConditions {
    const values = query as Readonly<Record<string, unknown>>;
    return {
      where: conditionsOf(this.filters, values),
      order: this.order && orderOf(values[this.order.parameter]),
    };
  }

  private hasIndex(field: string, kind: FilterKind): boolean {
    if (kind !== 'prefix') return indexedOrders(this.metadata).includes(field);
    return textIndexesOf(this.metadata).some(({ property }) => property === field);
  }

  /**
   * Returns the orders that sort alike on both engines: a database sorts texts by its locale, except with `createTextIndex()`.
   */
  private exactOrders(): string[] {
    const exact = textIndexesOf(this.metadata).map(({ property }) => property);
    return indexedOrders(this.metadata).filter((name) => !this.isText(name) || exact.includes(name));
  }

  private isText(name: string): boolean {
    return this.metadata.findColumnWithPropertyName(name)?.type === 'text';
  }

  private refuse(what: string, field: string, kind: FilterKind): never {
    const { tableName } = this.metadata;
    if (!this.metadata.findColumnWithPropertyName(field)) {
      throw new Error(`${what}, which ${tableName} has no column for.`);
    }
    const made = this.isText(field) && kind === 'prefix' ? ' that createTextIndex() makes' : '';
    throw new Error(`${what}, but ${tableName} has no index on (${field}, id)${made}.`);
  }
}

/** Returns the conditions on rows, by field, for the parameters of a query that have a value. */
export function conditionsOf(
  filters: readonly ListFilter[],
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const where: Record<string, unknown> = {};
  for (const { parameter, field, kind } of filters) {
    const value = values[parameter];
    if (value === undefined) continue;
    where[field] =
      kind === 'value' ? value : { ...(where[field] as object | undefined), [CONDITIONS[kind]]: value };
  }
  return where;
}

/** The order of `name` and `-name`; undefined for that of keys. */
function orderOf(sort: unknown): RowOrder | undefined {
  if (typeof sort !== 'string' || sort === 'id') return undefined;
  const descending = sort.startsWith('-');
  return { by: descending ? sort.slice(1) : sort, descending };
}
