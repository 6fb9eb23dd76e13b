import type { Type } from '@nestjs/common';
import type { ObjectLiteral } from 'typeorm';
import { InvalidCursorError } from '../../errors/http-errors';
import { listFilters, readingParameters } from '../../validation/list-filters';
import {
  type CursorFilter,
  decodeOrderedCursor,
  digestOf,
  encodeCursor,
  encodeOrderedCursor,
} from '../../values/cursor';
import type { Database } from '../database';
import { EntityList } from './entity-list';
import { type EntityStatements, OWNER_OF_WORK } from './entity-statements';
import { cutPage, type Page, pageOf, type PageRequest, pageWindow } from '../statements/page';
import { EXACT_PLACE, exactPlace, exactPlaceText } from '../statements/exact-place';
import { type Found, PageSearch } from './page-search';
import { PageStatements } from './page-statements';
import type { Stretch } from './search-statements';
import { isSplit, type OrderPart, orderText, PLACE, type RowOrder } from '../statements/row-order';
import type { BoundValue } from '../statements/row-values';
import {
  filterOfTerms,
  isDecimal,
  meets,
  metByPlace,
  type Term,
  termsOf,
  valuesOfTerms,
} from '../statements/where';

/** A row whose key the database assigns. */
interface Keyed {
  readonly id: bigint;
}

/** The pages of an entity's lists. */
export class EntityPages<Entity extends ObjectLiteral> {
  private readonly pages: PageStatements<Entity>;
  private readonly search: PageSearch<Entity>;
  private readonly list: EntityList | undefined;
  /** The class of the last query that declares values to filter by at most, and those of its parameters that are columns. */
  private plain: Function | undefined;
  private plainFilters: readonly string[] = [];

  /** @throws Error when the class of the query asks for what no index has */
  constructor(
    private readonly database: Database,
    private readonly statements: EntityStatements<Entity>,
    query: Type | undefined,
  ) {
    this.pages = new PageStatements(database, statements);
    this.search = new PageSearch(database, statements);
    this.list = query && new EntityList(statements.metadata, query);
  }

  /** The page that a query asks for. @throws InvalidCursorError */
  async find(request: PageRequest, where: Conditions, order: RowOrder | undefined): Promise<Page<Entity>> {
    const asked = this.list ? this.list.read(request) : this.readNone(request, where);
    const terms = termsOf(asked ? merged(asked.where, where) : where);
    const demanded = new Set(Object.keys(where).filter((name) => where[name] !== undefined));
    const inForce = order ?? asked?.order;
    if (inForce) return this.findInOrder(request, terms, inForce, demanded);
    const window = pageWindow(request, filterOfTerms(terms));
    if (this.isSearched(terms)) {
      const place: OrderPlace = { id: window.after, part: 'values' };
      const found = await this.readParts({ order: BY_ID, terms, demanded }, place, window.limit);
      return foundPage(found, window.limit, ({ id }) => encodeCursor(id, window.filter));
    }
    return pageOf((await this.findAfter(window.after, window.limit, terms)) as (Entity & Keyed)[], window);
  }

  /** @throws Error when the query asks for what would be forgotten */
  private readNone(request: PageRequest, where: Conditions): undefined {
    const { constructor } = request;
    if (constructor !== this.plain) this.learn(constructor);
    for (const name of this.plainFilters) {
      if ((request as unknown as Conditions)[name] !== undefined && !(name in where)) {
        throw new Error(
          `${constructor.name} filters by ${name}, which is no condition of the list: ${passed(constructor)}, or ${name} to findPage().`,
        );
      }
    }
  }

  private learn(query: Function): void {
    if (readingParameters(query).length > 0) {
      throw new Error(`${query.name} declares more than values to filter by: ${passed(query)}.`);
    }
    const { metadata } = this.statements;
    const filters = listFilters(query).map(({ name }) => name);
    this.plainFilters = filters.filter((name) => metadata.findColumnWithPropertyName(name));
    this.plain = query;
  }

  /** Tells whether a list in the order of keys is searched: of one of several values each has its part of an index. */
  private isSearched(terms: readonly Term[]): boolean {
    const isOfSome = terms.length === 1 && terms[0]?.comparison === 'in';
    return !isOfSome && this.search.isNeeded(terms, BY_ID);
  }

  /** Rows after a key in ascending order of keys. */
  findAfter(after: bigint, limit: number, terms: readonly Term[]): Promise<Entity[]> {
    const values = valuesOfTerms(terms);
    values['page_after'] = after;
    values['page_limit'] = limit;
    return this.database.queryReplica(this.pages.byId(terms), values);
  }

  private async findInOrder(
    { limit, cursor }: PageRequest,
    terms: readonly Term[],
    order: RowOrder,
    demanded: ReadonlySet<string>,
  ): Promise<Page<Entity>> {
    const filter = {
      ...filterOfTerms(terms),
      [ORDER]: `${order.by} ${order.descending ? 'DESC' : 'ASC'}`,
    };
    const place = cursor === undefined ? undefined : await this.readPlace(cursor, filter, order, terms);
    const found = await this.readParts({ order, terms, demanded }, place, limit + 1);
    const page = foundPage(found, limit + 1, (row) =>
      encodeOrderedCursor(row.id, this.placeText(row, order), filter),
    );
    for (const row of found.rows) Reflect.deleteProperty(row, EXACT_PLACE);
    return page;
  }

  /** Reads the parts of a list one by one: in one statement for both SQLite would sort all rows that follow. */
  private async readParts(
    list: Pick<Stretch, 'order' | 'terms' | 'demanded'>,
    place: OrderPlace | undefined,
    limit: number,
  ): Promise<Found<Entity>> {
    const { order, terms } = list;
    const given = {
      ...valuesOfTerms(terms),
      [PLACE.id]: place?.id,
      [PLACE.value]: place?.value,
    };
    const rows: Entity[] = [];
    // Of a filter by the order's own field, rows without a value meet none: they need not be looked at.
    const isOfValues = terms.some(({ name, comparison }) => name === order.by && comparison !== 'unset');
    for (const part of this.pages.partsOf(order, place?.part)) {
      if (rows.length === limit || (isOfValues && part === 'nulls')) break;
      const values = { ...given, page_limit: limit - rows.length };
      const isAfter = part === place?.part || isSplit(part);
      if (this.search.isNeeded(terms, order)) {
        const found = await this.search.find({ ...list, part, isAfter }, values);
        rows.push(...found.rows);
        if (found.lookedTo) return { rows, lookedTo: found.lookedTo };
      } else {
        const statement = this.pages.inOrder(terms, order, part, isAfter);
        rows.push(...(await this.database.queryReplica(statement, values)));
      }
    }
    return { rows };
  }

  /** @throws InvalidCursorError, also when a row whose value is too long for a cursor has been deleted or changed meanwhile */
  private async readPlace(
    cursor: string,
    filter: CursorFilter,
    order: RowOrder,
    terms: readonly Term[],
  ): Promise<OrderPlace> {
    const { key: id, value: text, isDigest } = decodeOrderedCursor(cursor, filter);
    if (text === null && this.pages.partsOf(order).includes('nulls')) return { id, part: 'nulls' };
    const value = isDigest
      ? await this.storedText(id, order, text, terms)
      : this.pages.readValue(order, text);
    const isNumber = isDecimal(this.statements.metadata, order.by);
    const bounds = metByPlace(terms, order.by, order.descending);
    const isInList = bounds.every((term) => meets(value, term, isNumber));
    if (value !== undefined && isInList) return { id, part: 'values', value };
    throw new InvalidCursorError({
      message: 'The record of the cursor no longer exists; begin with the first page.',
    });
  }

  /** Returns the value by which a row has its position in an order. */
  private placeText(row: ObjectLiteral, { by }: RowOrder): string | null {
    const column = this.statements.metadata.findColumnWithPropertyName(by);
    const exact = exactPlace(column, row[EXACT_PLACE]);
    return exact === undefined ? orderText(row[by] as BoundValue) : exactPlaceText(exact);
  }

  /** Resolves to the text of a row of which a cursor has a digest; undefined when the text has changed since. */
  private async storedText(
    id: bigint,
    { by }: RowOrder,
    digest: string | null,
    terms: readonly Term[],
  ): Promise<string | undefined> {
    const { owners } = this.statements;
    const [owner = null] = terms.find(({ name }) => name === owners?.property)?.values ?? [];
    const values = owners ? { id, [OWNER_OF_WORK]: owner } : { id };
    const [row] = await this.database.query(this.statements.findById(''), values);
    const stored: unknown = row?.[by];
    return typeof stored === 'string' && digestOf(stored) === digest ? stored : undefined;
  }
}

/** Row after which a page in an order begins. */
interface OrderPlace {
  readonly id: bigint;
  readonly part: OrderPart;
  readonly value?: BoundValue;
}

/** Advice about a query whose class no repository knows. */
function passed({ name }: Function): string {
  return `pass the class to the repository, as super(database, <entity>, ${name})`;
}

/** Conditions on rows, by member. */
type Conditions = Readonly<Record<string, unknown>>;

/** Merges the conditions of a query with those of the caller; on the same column the caller's win. */
function merged(asked: Conditions, demanded: Conditions): Conditions {
  const inForce = Object.entries(demanded).filter(([, value]) => value !== undefined);
  return { ...asked, ...Object.fromEntries(inForce) };
}

/** The page of the rows that were found; it ends at the last row that was looked at, if more rows follow. */
function foundPage<Entity>(
  { rows, lookedTo }: Found<Entity>,
  limit: number,
  cursorOf: (row: Entity & Keyed) => string,
): Page<Entity> {
  if (rows.length < limit && lookedTo) return { items: rows, next: cursorOf(lookedTo as Entity & Keyed) };
  return cutPage(rows, limit, (row) => cursorOf(row as Entity & Keyed));
}

/** Order of a list unless another is asked for. */
const BY_ID: RowOrder = { by: 'id', descending: false };

/** Key of the order in a cursor: no member has this name. */
const ORDER = ' order';
