import type { Type } from '@nestjs/common';
import type { ObjectLiteral } from 'typeorm';
import { InvalidCursorError } from '../../errors/http-errors';
import { readingParameters } from '../../validation/list-filters';
import { type CursorFilter, decodeOrderedCursor, digestOf, encodeOrderedCursor } from '../../values/cursor';
import type { Database } from '../database';
import { EntityList } from './entity-list';
import { type EntityStatements, OWNER_OF_WORK } from './entity-statements';
import { cutPage, type Page, pageOf, type PageRequest, pageWindow } from '../statements/page';
import { exactPlace, exactPlaceText } from '../statements/exact-place';
import { EXACT_PLACE, PageStatements } from './page-statements';
import { type OrderPart, orderText, PLACE, type RowOrder } from '../statements/row-order';
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
  private readonly list: EntityList | undefined;
  /** The class of the last query that declares values to filter by at most. */
  private plain: Function | undefined;

  /** @throws Error when the class of the query asks for what no index has */
  constructor(
    private readonly database: Database,
    private readonly statements: EntityStatements<Entity>,
    query: Type | undefined,
  ) {
    this.pages = new PageStatements(database, statements);
    this.list = query && new EntityList(statements.metadata, query);
  }

  /** The page that a query asks for. @throws InvalidCursorError */
  async find(request: PageRequest, where: Conditions, order: RowOrder | undefined): Promise<Page<Entity>> {
    const asked = this.list ? this.list.read(request) : this.readNone(request);
    const terms = termsOf(asked ? merged(asked.where, where) : where);
    const inForce = order ?? asked?.order;
    if (inForce) return this.findInOrder(request, terms, inForce);
    const window = pageWindow(request, filterOfTerms(terms));
    return pageOf((await this.findAfter(window.after, window.limit, terms)) as (Entity & Keyed)[], window);
  }

  /** @throws Error when the query asks for what would be forgotten */
  private readNone({ constructor }: PageRequest): undefined {
    if (constructor === this.plain) return;
    if (readingParameters(constructor).length > 0) {
      throw new Error(
        `${constructor.name} declares more than values to filter by: pass it to the repository, as super(database, <entity>, ${constructor.name}).`,
      );
    }
    this.plain = constructor;
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
  ): Promise<Page<Entity>> {
    const filter = {
      ...filterOfTerms(terms),
      [ORDER]: `${order.by} ${order.descending ? 'DESC' : 'ASC'}`,
    };
    const place = cursor === undefined ? undefined : await this.readPlace(cursor, filter, order, terms);
    const rows = await this.readParts(order, terms, place, limit + 1);
    const page = cutPage(rows, limit + 1, (row) =>
      encodeOrderedCursor((row as Entity & Keyed).id, this.placeText(row, order), filter),
    );
    for (const row of rows) Reflect.deleteProperty(row, EXACT_PLACE);
    return page;
  }

  /** Reads the parts of a list one by one: in one statement for both SQLite would sort all rows that follow. */
  private async readParts(
    order: RowOrder,
    terms: readonly Term[],
    place: OrderPlace | undefined,
    limit: number,
  ): Promise<Entity[]> {
    const parts = this.pages.partsOf(order);
    const first = place ? parts.indexOf(place.part) : 0;
    const given = valuesOfTerms(terms);
    const rows: Entity[] = [];
    for (const [index, part] of parts.entries()) {
      if (index < first || rows.length === limit) continue;
      const after = index === first ? place : undefined;
      const statement = this.pages.inOrder(terms, order, part, after !== undefined);
      const values = { [PLACE.id]: after?.id, [PLACE.value]: after?.value, page_limit: limit - rows.length };
      rows.push(...(await this.database.queryReplica(statement, { ...given, ...values })));
    }
    return rows;
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

/** Conditions on rows, by member. */
type Conditions = Readonly<Record<string, unknown>>;

/** Merges the conditions of a query with those of the caller; on the same column the caller's win. */
function merged(asked: Conditions, demanded: Conditions): Conditions {
  const inForce = Object.entries(demanded).filter(([, value]) => value !== undefined);
  return { ...asked, ...Object.fromEntries(inForce) };
}

/** Key of the order in a cursor: no member has this name. */
const ORDER = ' order';
