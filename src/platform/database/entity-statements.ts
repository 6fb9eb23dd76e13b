import type { Type } from '@nestjs/common';
import type { EntityManager, EntityMetadata, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { type Counted, countUpTo } from './count-up-to';
import type { Database } from './database';
import {
  afterPlace,
  indexedOrders,
  inPart,
  type OrderPart,
  orderParts,
  PLACE,
  readOrderValue,
  type RowOrder,
  sortKeys,
} from './row-order';
import type { BoundValue } from './row-values';
import { assignments, insertion, parameter, parameters, type Statement } from './statement';

/** The statements of an entity's table, each compiled when it is first asked for. */
export class EntityStatements<Entity extends ObjectLiteral> {
  readonly metadata: EntityMetadata;
  /** The members that are stored, but for a key that the database assigns and for retired columns. */
  readonly names: readonly string[];
  private readonly keyNames: readonly string[];
  private readonly keyColumns: string;
  /** Whether an insertion needs no row and no value of another transaction. */
  private readonly waitsForNone: boolean;
  private readonly prepared = new Map<string, Statement<unknown>>();

  constructor(
    private readonly database: Database,
    private readonly entity: Type<Entity>,
  ) {
    this.metadata = database.dataSource.getMetadata(entity);
    const { columns, primaryColumns, foreignKeys, uniques, indices } = this.metadata;
    this.names = columns
      .filter(({ isSelect, isGenerated }) => isSelect && !isGenerated)
      .map(({ propertyName }) => propertyName);
    this.keyNames = primaryColumns.map(({ propertyName }) => propertyName);
    this.keyColumns = primaryColumns.map(({ databaseName }) => `"${databaseName}"`).join(', ');
    this.waitsForNone =
      foreignKeys.length === 0 && uniques.length === 0 && !indices.some(({ isUnique }) => isUnique);
  }

  /** The row of a key. @param tail such as a lock */
  findById(tail: string): Statement<Entity> {
    return this.database.prepare(
      (manager) => this.select(manager).where('row.id = :id', { id: parameter('id') }),
      tail,
      { isBrief: tail === '' },
    );
  }

  /** The rows with some values after a key, in ascending order of keys. */
  pageById(filters: readonly string[]): Statement<Entity> {
    return this.database.prepare(
      (manager) => {
        const query = this.select(manager).where('row.id > :page_after', {
          page_after: parameter('page_after'),
        });
        return filtered(query, filters).orderBy('row.id', 'ASC');
      },
      'LIMIT :page_limit',
      { isBrief: true },
    );
  }

  /**
   * The rows with some values in an order: those of one part of the list.
   *
   * @param isAfter whether only those after a place
   * @throws Error when no index has that order
   */
  pageInOrder(
    filters: readonly string[],
    order: RowOrder,
    part: OrderPart,
    isAfter: boolean,
  ): Statement<Entity> {
    return this.once(`page ${filters.join()} ${order.by} ${order.descending} ${part} ${isAfter}`, () => {
      this.assertIndexed(filters, order);
      return this.database.prepare<Entity>(
        (manager) => this.selectInOrder(manager, filters, order, part, isAfter),
        'LIMIT :page_limit',
        { isBrief: true },
      );
    });
  }

  /** How many rows have some values, counted up to a limit. */
  count(filters: readonly string[], limit: number): Statement<Counted> {
    return this.once(`count ${filters.join()} ${limit}`, () =>
      this.database.prepare<Counted>((manager) => {
        const query = manager.createQueryBuilder(this.entity, 'row').select('1', 'found');
        return countUpTo(filtered(query, filters), limit);
      }),
    );
  }

  /** @param prefixes one for each row of the statement, put before the names of its parameters */
  insertion(names: readonly string[], prefixes: readonly string[]): Statement<{ id: bigint }> {
    return this.database.prepare(
      (manager) => insertion(manager, this.entity, names, prefixes),
      `RETURNING ${this.keyColumns}`,
      { isBrief: this.waitsForNone },
    );
  }

  change(): Statement<{ id: bigint }> {
    const names = this.names.filter((name) => !this.keyNames.includes(name));
    return this.database.prepare(
      (manager) =>
        manager
          .createQueryBuilder()
          .update(this.entity)
          .set(assignments(names) as never)
          .setParameters(parameters(names))
          .where('id = :id', { id: parameter('id') }),
      'RETURNING "id"',
    );
  }

  removal(): Statement<{ id: bigint }> {
    if (this.metadata.deleteDateColumn) return this.mark(':removedAt', 'IS NULL');
    return this.database.prepare(
      (manager) =>
        manager
          .createQueryBuilder()
          .delete()
          .from(this.entity)
          .where('id = :id', { id: parameter('id') }),
      'RETURNING "id"',
    );
  }

  restoration(): Statement<{ id: bigint }> {
    return this.mark('NULL', 'IS NOT NULL');
  }

  /** Deletes at most so many rows whose value is less than another. */
  batchDeletion(name: string, limit: number): Statement<object> {
    return this.once(`delete ${name} ${limit}`, () => {
      const { tableName } = this.metadata;
      const column = this.metadata.findColumnWithPropertyName(name)?.databaseName;
      const some = `SELECT ${this.keyColumns} FROM "${tableName}" WHERE "${column}" < :before LIMIT ${limit}`;
      return this.database.prepare<object>(
        (manager) =>
          manager
            .createQueryBuilder()
            .delete()
            .from(this.entity)
            .where(`(${this.keyColumns}) IN (${some})`, { before: parameter('before') }),
        `RETURNING ${this.keyColumns}`,
      );
    });
  }

  /** What a list in an order consists of. */
  partsOf(order: RowOrder): OrderPart[] {
    return orderParts(this.database.engine, this.metadata, order);
  }

  /** The value of the column of an order in a cursor; undefined when it is none. */
  readValue({ by }: RowOrder, text: string | null): BoundValue {
    const column = this.metadata.findColumnWithPropertyName(by);
    return column && text !== null ? readOrderValue(column, text) : undefined;
  }

  private once<Row>(name: string, prepare: () => Statement<Row>): Statement<Row> {
    let statement = this.prepared.get(name) as Statement<Row> | undefined;
    if (!statement) this.prepared.set(name, (statement = prepare()));
    return statement;
  }

  /** @param state the removal mark of the rows it may change */
  private mark(mark: string, state: string): Statement<{ id: bigint }> {
    return this.database.prepare(
      (manager) =>
        manager
          .createQueryBuilder()
          .update(this.entity)
          .set({ removedAt: () => mark } as never)
          .setParameter('removedAt', parameter('removedAt'))
          .where(`id = :id AND "removed_at" ${state}`, { id: parameter('id') }),
      'RETURNING "id"',
    );
  }

  private select(manager: EntityManager, ...more: string[]): SelectQueryBuilder<Entity> {
    const query = manager.createQueryBuilder(this.entity, 'row').select('row.id', 'id');
    for (const name of new Set([...this.names, ...more])) {
      if (name !== 'id') query.addSelect(`row.${name}`, name);
    }
    return query;
  }

  private selectInOrder(
    manager: EntityManager,
    filters: readonly string[],
    order: RowOrder,
    part: OrderPart,
    isAfter: boolean,
  ): SelectQueryBuilder<Entity> {
    const { engine } = this.database;
    // A page ends at a value, also at one that is not served, such as `createdAt`.
    const query = filtered(this.select(manager, order.by), filters);
    query
      .andWhere(isAfter ? afterPlace(engine, this.metadata, order, part) : inPart(this.metadata, order, part))
      .setParameters(parameters(Object.values(PLACE)));
    for (const key of sortKeys(engine, this.metadata, order.by)) {
      query.addOrderBy(key, order.descending ? 'DESC' : 'ASC');
    }
    return query;
  }

  private assertIndexed(filters: readonly string[], { by }: RowOrder): void {
    const isIndexed =
      indexedOrders(this.metadata).includes(by) ||
      this.metadata.indices.some(({ columns, where }) => {
        const names = columns.map(({ propertyName }) => propertyName);
        const isFiltered = names.slice(0, -2).every((name) => filters.includes(name));
        return !where && isFiltered && names.at(-2) === by && names.at(-1) === 'id';
      });
    if (isIndexed) return;
    throw new Error(
      `${this.metadata.tableName} has no index on (${by}, id), so no page can be read in that order.`,
    );
  }
}

function filtered<Entity extends ObjectLiteral>(
  query: SelectQueryBuilder<Entity>,
  filters: readonly string[],
): SelectQueryBuilder<Entity> {
  for (const name of filters) query.andWhere(`row.${name} = :${name}`, { [name]: parameter(name) });
  return query;
}
