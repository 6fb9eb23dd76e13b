import type { Type } from '@nestjs/common';
import type { EntityMetadata } from 'typeorm';
import {
  type Filter,
  type FilterOperator,
  listFilters,
  listOrder,
  noteRead,
} from '../../validation/list-filters';
import { ownerColumnOf } from '../column-types';
import { indexedOrders, membersAhead } from '../statements/list-indexes';
import type { RowOrder } from '../statements/row-order';
import { textIndexesOf } from '../statements/text-index';
import { conditionsOf, type Term } from '../statements/where';

/** Filters and order of one query of a list, by the parameters that its class declares. */
export interface ListConditions {
  readonly where: Readonly<Record<string, unknown>>;
  readonly order: RowOrder | undefined;
}

/** Lists of an entity: the filters and orders that the class of a query declares. */
export class EntityList {
  private readonly filters: readonly Filter[];
  private readonly order: ReturnType<typeof listOrder>;

  /** @throws Error when the class asks for what no index of the entity has */
  constructor(
    private readonly metadata: EntityMetadata,
    query: Type,
  ) {
    this.filters = listFilters(query);
    this.order = listOrder(query);
    for (const { name, field, operator } of this.filters) {
      if (!this.hasIndex(field, operator))
        this.refuse(`${query.name} filters by ${field} (${name})`, field, operator);
    }
    const orders = this.exactOrders();
    const owner = ownerColumnOf(metadata.target)?.property;
    for (const field of this.order?.fields ?? []) {
      const what = `${query.name} sorts by ${field}`;
      if (!orders.includes(field)) this.refuse(what, field, 'prefix');
      if (owner !== undefined && !this.hasOwnerIndex(owner, field)) {
        this.refuse(what, field, 'prefix', `${owner}, `, ': the rows of other owners would be passed over');
      }
    }
    noteRead(query);
  }

  /** Reads the filters and the order of a query. */
  read(query: object): ListConditions {
    const values = query as Readonly<Record<string, unknown>>;
    return {
      where: conditionsOf(this.filters, values),
      order: this.order && orderOf(values[this.order.parameter]),
    };
  }

  private hasIndex(field: string, operator: FilterOperator | undefined): boolean {
    if (operator !== 'prefix') return indexedOrders(this.metadata).includes(field);
    return textIndexesOf(this.metadata).some(
      ({ property, membersAhead: ahead }) => property === field && ahead.length === 0,
    );
  }

  /** Tells whether an index has the rows of one owner in the order of a field: filters are searched without. */
  private hasOwnerIndex(owner: string, field: string): boolean {
    if (field === 'id' || field === owner) return true;
    const term: Term = { name: owner, comparison: 'is', values: [''] };
    return membersAhead(this.metadata, [term], field) !== undefined;
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

  /**
   * @param ahead members that the index has before the field
   * @param why the index is needed, where that cannot be seen
   */
  private refuse(
    what: string,
    field: string,
    operator: FilterOperator | undefined,
    ahead = '',
    why = '',
  ): never {
    const { tableName } = this.metadata;
    if (!this.metadata.findColumnWithPropertyName(field)) {
      throw new Error(`${what}, which ${tableName} has no column for.`);
    }
    const made = this.isText(field) && operator === 'prefix' ? ' that createTextIndex() makes' : '';
    throw new Error(`${what}, but ${tableName} has no index on (${ahead}${field}, id)${made}${why}.`);
  }
}

/** The order of `name` and `-name`; undefined for that of keys. */
function orderOf(sort: unknown): RowOrder | undefined {
  if (typeof sort !== 'string' || sort === 'id') return undefined;
  const descending = sort.startsWith('-');
  return { by: descending ? sort.slice(1) : sort, descending };
}
