import type { Type } from '@nestjs/common';
import type { EntityManager, EntityMetadata, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { type Counted, countUpTo } from './count-up-to';
import { ownerColumnOf, type OwnerColumnFacts } from '../column-types';
import type { Database } from '../database';
import { type ChildRelation, childRelations, childSelection } from '../statements/child-selection';
import { sortKeys } from '../statements/row-order';
import {
  assignments,
  insertion,
  NO_QUERY,
  parameter,
  parameters,
  type Statement,
} from '../statements/statement';
import { membersAhead } from '../statements/list-indexes';
import { RowsInsertion } from './rows-insertion';
import { walkedConditionOf } from '../statements/walked-condition';
import { type ColumnSql, conditionOf, termParameters, shapeOf, type Term } from '../statements/where';

/** Parameter of the owner whose rows work may see; null for all. No member has this name. */
export const OWNER_OF_WORK = 'owner_of_work';

/** The condition on the rows of many keys. */
const SOME_KEYS = {
  sqlite: '"id" IN (SELECT value FROM json_each(:ids))',
  postgres: '"id" = ANY(CAST(:ids AS bigint[]))',
} as const;

/** The statements of an entity's table, each compiled when it is first asked for. */
export class EntityStatements<Entity extends ObjectLiteral> {
  readonly metadata: EntityMetadata;
  /** The members that are stored, but for a key that the database assigns and for retired columns. */
  readonly names: readonly string[];
  /** Its members that are rows of other tables. */
  readonly children: readonly ChildRelation[];
  /** The rows' owners, if they have any. */
  readonly owners: OwnerColumnFacts | undefined;
  private readonly keyNames: readonly string[];
  private readonly keyColumns: string;
  /** True if an insertion never waits for a row or a value of another transaction. */
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
    this.children = childRelations(this.metadata);
    this.owners = ownerColumnOf(entity);
    this.keyNames = primaryColumns.map(({ propertyName }) => propertyName);
    this.keyColumns = primaryColumns.map(({ databaseName }) => `"${databaseName}"`).join(', ');
    this.waitsForNone =
      foreignKeys.length === 0 && uniques.length === 0 && !indices.some(({ isUnique }) => isUnique);
  }

  /** The row of a key. @param tail such as a lock */
  findById(tail: string): Statement<Entity> {
    return this.database.prepare(
      (manager) => this.select(manager).where(this.key('row.')).setParameters(this.keyParameters),
      tail,
      { isPipelined: tail === '' },
    );
  }

  /** The key of a row, if there is one. @param tail such as a lock */
  presence(tail: string): Statement<object> {
    return this.database.prepare(
      (manager) =>
        manager
          .createQueryBuilder(this.entity, 'row')
          .select('row.id', 'id')
          .where(this.key('row.'))
          .setParameters(this.keyParameters),
      tail,
    );
  }

  /** Counts the rows that meet some conditions, up to a limit. */
  count(terms: readonly Term[], limit: number): Statement<Counted> {
    return this.once(`count ${shapeOf(terms)} ${limit}`, () =>
      this.database.prepare<Counted>((manager) => {
        const query = manager.createQueryBuilder(this.entity, 'row').select('1', 'found');
        const ahead = membersAhead(this.metadata, terms) ?? [];
        for (const key of this.keysOf(ahead)) query.addOrderBy(key);
        return countUpTo(this.restrict(query, terms, ahead.slice(0, 1)), limit);
      }),
    );
  }

  /** A query of the rows, with the columns that are served. */
  select(manager: EntityManager): SelectQueryBuilder<Entity> {
    const query = manager.createQueryBuilder(this.entity, 'row').select('row.id', 'id');
    for (const name of this.names) {
      if (name !== 'id') query.addSelect(`row.${name}`, name);
    }
    for (const relation of this.children) {
      query.addSelect(childSelection(relation, this.database.engine, 'row'), relation.propertyName);
    }
    return query;
  }

  /**
   * Adds conditions to a query of the rows.
   *
   * @param walked the members that the rows are sorted by first
   */
  restrict(
    query: SelectQueryBuilder<Entity>,
    terms: readonly Term[],
    walked: readonly string[],
    column: ColumnSql = (name) => `row.${name}`,
  ): SelectQueryBuilder<Entity> {
    for (const term of terms) {
      const condition = walked.includes(term.name) ? walkedConditionOf : conditionOf;
      query.andWhere(
        condition(this.database.engine, this.metadata, term, column),
        parameters(termParameters(term)),
      );
    }
    return query;
  }

  /** Returns the SQL expressions by which an index has some members in order. */
  keysOf(names: readonly string[]): string[] {
    return names.flatMap((name) => sortKeys(this.database.engine, this.metadata, name).slice(0, 1));
  }

  insertion(names: readonly string[]): Statement<{ id: bigint }> {
    return this.database.prepare(
      (manager) => insertion(manager, this.entity, names),
      `RETURNING ${this.keyColumns}`,
      { isPipelined: this.waitsForNone },
    );
  }

  /** Many rows with their keys and, where the table keeps removed rows, the times of their removal. */
  bulkInsertion(names: readonly string[]): RowsInsertion<{ id: bigint }> {
    const columns = this.metadata.columns.filter(
      ({ propertyName, isDeleteDate }) => isDeleteDate || [...names, 'id'].includes(propertyName),
    );
    return new RowsInsertion(this.database, columns, `RETURNING ${this.keyColumns}`);
  }

  /** Reads the greatest key that a row of a table of SQLite has, or had where the table uses none again. */
  lastKey(): Statement<{ id: bigint }> {
    const { tableName } = this.metadata;
    return this.once('last key', () =>
      this.database.prepare(
        () => NO_QUERY,
        `SELECT max(last) AS "id" FROM (SELECT seq AS last FROM sqlite_sequence WHERE name = '${tableName}'
        UNION ALL SELECT max("id") FROM "${tableName}")`,
      ),
    );
  }

  /** Reads the SQL expression by which PostgreSQL assigns a key. */
  keyDefault(): Statement<{ sql: string }> {
    return this.once('key default', () =>
      this.database.prepare(
        () => NO_QUERY,
        `SELECT pg_get_expr(adbin, adrelid) AS "sql" FROM pg_attrdef
        JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
        WHERE adrelid = to_regclass('"${this.metadata.tableName}"') AND attname = 'id'`,
      ),
    );
  }

  /** @param sql of {@link keyDefault} */
  drawnKeys(sql: string): Statement<{ id: bigint }> {
    return this.once(`draw ${sql}`, () =>
      this.database.prepare(
        () => NO_QUERY,
        `SELECT ${sql} AS "id" FROM generate_series(1, CAST(:count AS integer))`,
      ),
    );
  }

  change(): Statement<{ id: bigint }> {
    const fixed = [...this.keyNames, this.owners?.property];
    const names = this.names.filter((name) => !fixed.includes(name));
    return this.database.prepare(
      (manager) =>
        manager
          .createQueryBuilder()
          .update(this.entity)
          .set(assignments(names) as never)
          .setParameters({ ...parameters(names), ...this.keyParameters })
          .where(this.key()),
      'RETURNING "id"',
    );
  }

  /** @param isMany whether it removes the rows of many keys, `ids` */
  removal(isMany = false): Statement<{ id: bigint }> {
    if (this.metadata.deleteDateColumn) return this.mark(':removedAt', 'IS NULL', isMany);
    return this.database.prepare(
      (manager) =>
        manager
          .createQueryBuilder()
          .delete()
          .from(this.entity)
          .where(this.key('', isMany))
          .setParameters(this.keysGiven(isMany)),
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

  /**
   * The condition on the row of a key, among those of an owner if rows have owners.
   *
   * @param row the alias of the rows, with a dot; unset in statements of TypeORM without one
   * @param isMany whether it is met by the rows of many keys, `ids`
   */
  private key(row = '', isMany = false): string {
    const isKey = isMany ? SOME_KEYS[this.database.engine] : `${row}id = :id`;
    if (!this.owners) return isKey;
    const owner = row === '' ? '"owner_id"' : `${row}${this.owners.property}`;
    return `${isKey} AND ${owner} = COALESCE(:${OWNER_OF_WORK}, ${owner})`;
  }

  private get keyParameters(): Record<string, unknown> {
    return this.keysGiven(false);
  }

  private keysGiven(isMany: boolean): Record<string, unknown> {
    const name = isMany ? 'ids' : 'id';
    return parameters(this.owners ? [name, OWNER_OF_WORK] : [name]);
  }

  private once<Row>(name: string, prepare: () => Statement<Row>): Statement<Row> {
    let statement = this.prepared.get(name) as Statement<Row> | undefined;
    if (!statement) this.prepared.set(name, (statement = prepare()));
    return statement;
  }

  /** @param state the removal mark of the rows it may change */
  private mark(mark: string, state: string, isMany = false): Statement<{ id: bigint }> {
    return this.database.prepare(
      (manager) =>
        manager
          .createQueryBuilder()
          .update(this.entity)
          .set({ removedAt: () => mark } as never)
          .setParameters({ removedAt: parameter('removedAt'), ...this.keysGiven(isMany) })
          .where(`${this.key('', isMany)} AND "removed_at" ${state}`),
      'RETURNING "id"',
    );
  }
}
