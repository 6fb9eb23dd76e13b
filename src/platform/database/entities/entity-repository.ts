import type { Type } from '@nestjs/common';
import type { ObjectLiteral, Repository } from 'typeorm';
import { StillReferencedError } from '../../errors/http-errors';
import type { Database } from '../database';
import { constraintError } from './constraint-errors';
import { isForeignKeyViolation } from '../driver/driver-errors';
import { EntityPages } from './entity-pages';
import { EntityStatements } from './entity-statements';
import { OwnedReferences } from './owned-references';
import { RowOwners } from './row-owners';
import type { Page, PageRequest, PageWindow } from '../statements/page';
import { type Parent, ChildRows } from './child-rows';
import { RowsInsertion } from './rows-insertion';
import type { RowOrder } from '../statements/row-order';
import type { BoundValue } from '../statements/row-values';
import type { Statement, StatementValues } from '../statements/statement';
import { termsOf, valuesOfTerms, type Where } from '../statements/where';
import { batchesOf } from '../statements/batches';

/** Stored members of a new row. */
export type New<Entity extends ObjectLiteral> = Omit<Entity, 'id'>;

/** Rows of one statement of a bulk insertion; beyond some hundred a statement gains nothing. */
const BULK_ROWS = 200;

/** Rows that one statement deletes: some milliseconds, so that other work gets its turn. */
const DELETED_ROWS = 1_000;

/**
 * The rows of an entity, in statements that TypeORM compiles once. A feature's repository extends it and adds methods of its
 * own, with statements of its own ({@link Database.prepare}).
 *
 * Methods that take or return an `id` are for entities whose key the database assigns ({@link GeneratedInt64Key}); any entity
 * has {@link count} and {@link deleteBatch}.
 */
export class EntityRepository<Entity extends ObjectLiteral> {
  private readonly statements = new EntityStatements<Entity>(this.database, this.entity);
  /** True if the table itself fills in `createdAt`. */
  private readonly isDated =
    this.statements.metadata.findColumnWithPropertyName('createdAt')?.isSelect === false;
  private readonly insertedNames = this.isDated
    ? [...this.statements.names, 'createdAt']
    : this.statements.names;
  private readonly children = this.statements.children.map(
    (relation) => new ChildRows(this.database, relation),
  );
  private readonly owners = new RowOwners(this.statements);
  private readonly references = new OwnedReferences(this.database, this.statements.metadata);
  private readonly pages: EntityPages<Entity>;
  private byId: Statement<Entity> | undefined;
  private byIdLocked: Statement<Entity> | undefined;
  private lock: Statement<object> | undefined;
  private insertion: Statement<{ id: bigint }> | undefined;
  private bulkInsertion: RowsInsertion<{ id: bigint }> | undefined;
  private change: Statement<{ id: bigint }> | undefined;
  private removal: Statement<{ id: bigint }> | undefined;
  private removals: Statement<{ id: bigint }> | undefined;
  private restoration: Statement<{ id: bigint }> | undefined;

  /**
   * @param query what lists can be asked for: its parameters say which fields they narrow a list down by, and sort it by
   * @throws Error when it asks for what no index has
   */
  constructor(
    protected readonly database: Database,
    private readonly entity: Type<Entity>,
    query?: Type,
  ) {
    this.pages = new EntityPages(database, this.statements, query);
  }

  /**
   * TypeORM's own repository, inside the current transaction if there is one: for rare queries. It has the rows of all owners,
   * so work for one cannot use it.
   */
  get repository(): Repository<Entity> {
    this.owners.assertForAll("TypeORM's own repository");
    return this.database.dataSource.getRepository(this.entity);
  }

  /**
   * Reads a page of a list: of the rows that the query asks for, when the constructor was given its class.
   *
   * @param where what rows must have besides. Each column needs an index on (column, id), or, for another order, on (column, that of
   * the order, id)
   * @param order that of the query unless given, ascending by key where there is none; it needs an index on (column, id). A cursor
   * holds the value and the key of the last row, so the page after it is the same whatever has become of that row
   * @throws InvalidCursorError
   */
  findPage(
    request: PageRequest,
    where: Where<Entity> = {},
    order?: RowOrder<keyof Entity & string>,
  ): Promise<Page<Entity>> {
    return this.pages.find(request, this.owners.among(where), order);
  }

  /** Reads rows after a key in ascending order of keys, from a replica where there are any. */
  findAfter(
    { after, limit }: Pick<PageWindow, 'after' | 'limit'>,
    where: Where<Entity> = {},
  ): Promise<Entity[]> {
    return this.pages.findAfter(after, limit, termsOf(this.owners.among(where)));
  }

  /** The row of a key. */
  async findOne(id: bigint): Promise<Entity | null> {
    this.byId ??= this.statements.findById('');
    const [row] = await this.database.query(this.byId, this.owners.keyed({ id }));
    return row ?? null;
  }

  /** The row of a key, which no other transaction can change until the one in progress ends. */
  async findOneForUpdate(id: bigint): Promise<Entity | null> {
    if (this.children.length > 0 && this.database.engine === 'postgres') {
      // A statement that waits for a lock sees other tables as they were when it began: so they are read by the next one.
      await this.database.query(
        (this.lock ??= this.statements.presence('FOR UPDATE')),
        this.owners.keyed({ id }),
      );
      return this.findOne(id);
    }
    // On SQLite a transaction has the whole file to itself.
    this.byIdLocked ??= this.statements.findById(this.database.engine === 'postgres' ? 'FOR UPDATE' : '');
    const [row] = await this.database.query(this.byIdLocked, this.owners.keyed({ id }));
    return row ?? null;
  }

  /** Counts the rows that meet the conditions, up to a limit; an undefined value is no condition. */
  async count(where: Where<Entity>, limit: number): Promise<number> {
    const terms = termsOf(this.owners.among(where));
    const [row] = await this.database.query(this.statements.count(terms, limit), valuesOfTerms(terms));
    return Number(row?.count);
  }

  /**
   * Stores a row; outside a transaction it is durable when the promise resolves.
   *
   * @throws MissingReferenceError or DuplicateValueError
   */
  insert(row: New<Entity>): Promise<Entity> {
    if (this.children.length === 0) return this.insertRow(row);
    return this.database.transaction(async () => {
      const inserted = await this.insertRow(row);
      await this.insertOwned([inserted]);
      return inserted;
    });
  }

  private async insertRow(given: New<Entity>): Promise<Entity> {
    const row = this.owners.given(given);
    if (!this.references.isEmpty) await this.references.check([row]);
    this.insertion ??= this.statements.insertion(this.insertedNames);
    const statement = this.insertion;
    const [inserted] = await this.write(() => this.database.query(statement, this.dated(row)), [row]);
    return { ...row, ...inserted } as unknown as Entity;
  }

  /**
   * Stores many rows in one transaction: all of them or none. Rows from elsewhere may bring their `createdAt` and `removedAt`.
   *
   * @param keys of the rows, from {@link nextKeys}; the table assigns them unless given
   * @returns the rows in the order they were given
   * @throws MissingReferenceError or DuplicateValueError
   */
  insertMany(rows: readonly New<Entity>[], keys?: readonly bigint[]): Promise<Entity[]> {
    return this.database.transaction(async () => {
      const ids = keys ?? (await this.nextKeys(rows.length));
      const keyed: unknown = rows.map((row, index) => ({ ...this.owners.given(row), id: ids[index] }));
      const inserted = keyed as Entity[];
      for (const batch of batchesOf(inserted, BULK_ROWS)) await this.insertBulk(batch);
      await this.insertOwned(inserted);
      return inserted;
    });
  }

  private async insertBulk(rows: readonly Entity[]): Promise<void> {
    if (!this.references.isEmpty) await this.references.check(rows);
    const bulk = (this.bulkInsertion ??= this.statements.bulkInsertion(this.insertedNames));
    await this.write(() => bulk.insert(rows.map((row) => this.dated(row))), rows);
  }

  /**
   * Draws the keys of rows to insert in the transaction in progress, as the table itself would assign them: no engine has to return
   * those in the order of the rows. On PostgreSQL with several machines they need not ascend.
   */
  async nextKeys(count: number): Promise<bigint[]> {
    if (this.database.engine === 'sqlite') {
      const [last] = await this.database.query(this.statements.lastKey(), {});
      return Array.from({ length: count }, (_, index) => (last?.id ?? 0n) + BigInt(index + 1));
    }
    const [{ sql } = { sql: '' }] = await this.database.query(this.statements.keyDefault(), {});
    const drawn = await this.database.query(this.statements.drawnKeys(sql), { count });
    return drawn.map(({ id }) => id);
  }

  /**
   * Stores a row that is there already with other values.
   *
   * @throws MissingReferenceError or DuplicateValueError
   */
  update(row: Entity): Promise<Entity> {
    if (this.children.length === 0) return this.updateRow(row);
    return this.database.transaction(async () => {
      const { id } = row as unknown as Parent;
      const before = await this.findOne(id);
      if (!before) return row;
      for (const rows of this.children) await rows.replace(row as unknown as Parent, before);
      return this.updateRow(row);
    });
  }

  private async updateRow(row: Entity): Promise<Entity> {
    if (!this.references.isEmpty) await this.references.check([row]);
    this.change ??= this.statements.change();
    const statement = this.change;
    await this.write(() => this.database.query(statement, this.owners.keyed(row)), [row]);
    return row;
  }

  private async insertOwned(rows: readonly Entity[]): Promise<void> {
    for (const children of this.children) await children.insert(rows as unknown as readonly Parent[]);
  }

  /**
   * Removes the row of a key; a table that keeps removed rows ({@link RemovedAtColumn}) hides it.
   *
   * @returns whether there was one
   * @throws StillReferencedError
   */
  async delete(id: bigint): Promise<boolean> {
    this.removal ??= this.statements.removal();
    return (await this.remove(this.removal, { id })).length > 0;
  }

  /**
   * Removes the rows of many keys like {@link delete}, in one statement.
   *
   * @returns the keys of those that there were, in any order
   * @throws StillReferencedError
   */
  async deleteMany(ids: readonly bigint[]): Promise<bigint[]> {
    this.removals ??= this.statements.removal(true);
    return (await this.remove(this.removals, { ids })).map(({ id }) => id);
  }

  private async remove(
    statement: Statement<{ id: bigint }>,
    keys: StatementValues,
  ): Promise<{ id: bigint }[]> {
    try {
      return await this.database.query(statement, this.owners.keyed({ ...keys, removedAt: new Date() }));
    } catch (error) {
      throw isForeignKeyViolation(error) ? new StillReferencedError({ cause: error }) : error;
    }
  }

  /**
   * Brings a removed row back, where the table keeps them.
   *
   * @returns whether it had been removed
   */
  async restore(id: bigint): Promise<boolean> {
    this.restoration ??= this.statements.restoration();
    const restored = await this.database.query(this.restoration, this.owners.keyed({ id }));
    return restored.length > 0;
  }

  /**
   * Deletes some of the rows of which a value is less than another.
   *
   * @param name a member of the entity, with an index
   * @returns true if more such rows may be left
   */
  async deleteBatch(name: keyof Entity & string, before: BoundValue): Promise<boolean> {
    this.owners.assertForAll('A deletion by a value');
    const deleted = await this.database.query(this.statements.batchDeletion(name, DELETED_ROWS), { before });
    return deleted.length === DELETED_ROWS;
  }

  /** @param rows what the work stores */
  private async write(
    work: () => Promise<{ id: bigint }[]>,
    rows: readonly New<Entity>[],
  ): Promise<{ id: bigint }[]> {
    try {
      return await work();
    } catch (error) {
      throw await constraintError(error, this.database, this.statements.metadata, rows);
    }
  }

  /** Adds to a row the values that the table itself fills in. */
  private dated(row: New<Entity>): StatementValues {
    return this.isDated ? { ...row, createdAt: row.createdAt ?? new Date() } : row;
  }
}
