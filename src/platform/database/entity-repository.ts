import type { Type } from '@nestjs/common';
import type { EntityManager, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { StillReferencedError } from '../errors/http-errors';
import { Database } from './database';
import { isForeignKeyViolation } from './driver-errors';
import { type FilterValue, type Page, type PageRequest, type PageWindow, readPage } from './page';
import { missingReference } from './references';
import type { BoundValue } from './row-values';
import {
  assignments,
  insertion,
  parameter,
  parameters,
  type Statement,
  type StatementValues,
} from './statement';

/** An entity whose key the database assigns. */
interface Keyed extends ObjectLiteral {
  readonly id: bigint;
}

/** What is stored of a new row. */
export type New<Entity extends Keyed> = Omit<Entity, 'id'>;

/** Rows of one statement of a bulk insertion; beyond some hundred a statement gains nothing. */
const BULK_ROWS = 200;

/**
 * The rows of an entity, in statements that TypeORM compiles once. A feature's repository extends it; what it offers besides
 * are methods of its own, with statements of its own ({@link Database.prepare}).
 */
export class EntityRepository<Entity extends Keyed> {
  private readonly metadata = this.database.dataSource.getMetadata(this.entity);
  /** But for those of retired columns. */
  private readonly names = this.metadata.columns
    .filter(({ isSelect }) => isSelect)
    .map(({ propertyName }) => propertyName)
    .filter((name) => name !== 'id');
  /** What the table itself fills in. */
  private readonly isDated = this.metadata.findColumnWithPropertyName('createdAt')?.isSelect === false;
  private readonly keepsRemoved = this.metadata.deleteDateColumn !== undefined;
  /** Whether an insertion needs no row and no value of another transaction. */
  private readonly waitsForNone =
    this.metadata.foreignKeys.length === 0 &&
    this.metadata.uniques.length === 0 &&
    !this.metadata.indices.some(({ isUnique }) => isUnique);
  private readonly insertedNames = this.isDated ? [...this.names, 'createdAt'] : this.names;
  private readonly pages = new Map<string, Statement<Entity>>();
  private readonly byId = this.prepareFind('');
  // On SQLite a transaction has the whole file to itself.
  private readonly byIdLocked = this.prepareFind(this.database.engine === 'postgres' ? 'FOR UPDATE' : '');
  private readonly insertion = this.prepareInsertion(['']);
  private readonly bulkInsertion = this.prepareInsertion(
    Array.from({ length: BULK_ROWS }, (_, row) => rowPrefix(row)),
  );
  private readonly change = this.prepareChange();
  private readonly removal = this.keepsRemoved ? this.prepareHiding() : this.prepareRemoval();
  private restoration: Statement<{ id: bigint }> | undefined;

  constructor(
    protected readonly database: Database,
    private readonly entity: Type<Entity>,
  ) {}

  /**
   * Reads a page of a list in ascending order of keys.
   *
   * @param where values rows must have; an undefined one does not count. Each needs an index on (column, id).
   * @throws InvalidCursorError
   */
  findPage(request: PageRequest, where: Partial<Entity> = {}): Promise<Page<Entity>> {
    return readPage(request, where as Readonly<Record<string, FilterValue>>, (window) =>
      this.findAfter(window, where),
    );
  }

  /** Reads rows after a key in ascending order of keys, from a replica where there are any. */
  findAfter({ after, limit }: PageWindow, where: Partial<Entity> = {}): Promise<Entity[]> {
    const names = Object.keys(where).filter((name) => where[name] !== undefined);
    const key = names.join();
    let statement = this.pages.get(key);
    if (!statement) this.pages.set(key, (statement = this.preparePage(names)));
    return this.database.queryReplica(statement, { ...where, page_after: after, page_limit: limit });
  }

  /** The row of a key. */
  async findOne(id: bigint): Promise<Entity | null> {
    const [row] = await this.database.query(this.byId, { id });
    return row ?? null;
  }

  /** The row of a key, which no other transaction can change until the one in progress ends. */
  async findOneForUpdate(id: bigint): Promise<Entity | null> {
    const [row] = await this.database.query(this.byIdLocked, { id });
    return row ?? null;
  }

  /**
   * Stores a row; outside a transaction it is durable when the promise resolves.
   *
   * @throws MissingReferenceError
   */
  async insert(row: New<Entity>): Promise<Entity> {
    const [inserted] = await this.write(this.insertion, this.dated(row), [row]);
    return { ...row, ...inserted } as Entity;
  }

  /**
   * Stores many rows in one transaction: all of them or none.
   *
   * @returns the rows in the order they were given
   * @throws MissingReferenceError
   */
  insertMany(rows: readonly New<Entity>[]): Promise<Entity[]> {
    return this.database.transaction(async () => {
      const inserted: Entity[] = [];
      const inBulk = rows.length - (rows.length % BULK_ROWS);
      for (let start = 0; start < inBulk; start += BULK_ROWS) {
        const some = rows.slice(start, start + BULK_ROWS);
        const keys = await this.write(
          this.bulkInsertion,
          this.bulkValues(some.map((row) => this.dated(row))),
          some,
        );
        // Keys are assigned ascending in the order of the rows; RETURNING promises no order.
        const ids = keys.map(({ id }) => id).sort((a, b) => (a < b ? -1 : 1));
        some.forEach((row, index) => inserted.push({ ...row, id: ids[index] } as Entity));
      }
      for (const row of rows.slice(inBulk)) inserted.push(await this.insert(row));
      return inserted;
    });
  }

  /**
   * Stores a row that is there already with other values.
   *
   * @throws MissingReferenceError
   */
  async update(row: Entity): Promise<Entity> {
    await this.write(this.change, row, [row]);
    return row;
  }

  /**
   * Removes the row of a key; a table that keeps removed rows ({@link RemovedAtColumn}) hides it.
   *
   * @returns whether there was one
   * @throws StillReferencedError
   */
  async delete(id: bigint): Promise<boolean> {
    try {
      const removed = await this.database.query(this.removal, { id, removedAt: new Date() });
      return removed.length > 0;
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
    this.restoration ??= this.prepareRestoration();
    const restored = await this.database.query(this.restoration, { id });
    return restored.length > 0;
  }

  /** @param rows what the values are of */
  private async write(
    statement: Statement<{ id: bigint }>,
    values: StatementValues,
    rows: readonly New<Entity>[],
  ): Promise<{ id: bigint }[]> {
    try {
      return await this.database.query(statement, values);
    } catch (error) {
      throw isForeignKeyViolation(error)
        ? await missingReference(error, this.database, this.metadata, rows)
        : error;
    }
  }

  private preparePage(filters: readonly string[]): Statement<Entity> {
    return this.database.prepare(
      (manager) => {
        const query = this.select(manager).where('row.id > :page_after', {
          page_after: parameter('page_after'),
        });
        for (const name of filters) query.andWhere(`row.${name} = :${name}`, { [name]: parameter(name) });
        return query.orderBy('row.id', 'ASC');
      },
      'LIMIT :page_limit',
      { isBrief: true },
    );
  }

  private prepareFind(tail: string): Statement<Entity> {
    return this.database.prepare(
      (manager) => this.select(manager).where('row.id = :id', { id: parameter('id') }),
      tail,
      { isBrief: tail === '' },
    );
  }

  private select(manager: EntityManager): SelectQueryBuilder<Entity> {
    const query = manager.createQueryBuilder(this.entity, 'row').select('row.id', 'id');
    for (const name of this.names) query.addSelect(`row.${name}`, name);
    return query;
  }

  /** @param prefixes one for each row of the statement, put before the names of its parameters */
  private prepareInsertion(prefixes: readonly string[]): Statement<{ id: bigint }> {
    return this.database.prepare(
      (manager) => insertion(manager, this.entity, this.insertedNames, prefixes),
      'RETURNING "id"',
      { isBrief: this.waitsForNone },
    );
  }

  private prepareChange(): Statement<{ id: bigint }> {
    return this.database.prepare(
      (manager) =>
        manager
          .createQueryBuilder()
          .update(this.entity)
          .set(assignments(this.names) as never)
          .setParameters(parameters(this.names))
          .where('id = :id', { id: parameter('id') }),
      'RETURNING "id"',
    );
  }

  private prepareRemoval(): Statement<{ id: bigint }> {
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

  private prepareHiding(): Statement<{ id: bigint }> {
    return this.prepareMark(':removedAt', 'IS NULL');
  }

  private prepareRestoration(): Statement<{ id: bigint }> {
    return this.prepareMark('NULL', 'IS NOT NULL');
  }

  /** @param state the removal mark of the rows it may change */
  private prepareMark(mark: string, state: string): Statement<{ id: bigint }> {
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

  /** A row with what the table itself fills in. */
  private dated(row: New<Entity>): StatementValues {
    return this.isDated ? { ...row, createdAt: new Date() } : row;
  }

  private bulkValues(rows: readonly StatementValues[]): StatementValues {
    const values: Record<string, BoundValue> = {};
    rows.forEach((row, index) => {
      for (const name of this.insertedNames) values[`${rowPrefix(index)}${name}`] = row[name];
    });
    return values;
  }
}

/** No name of a property begins like this, so that those of two rows are never the same. */
function rowPrefix(row: number): string {
  return `row${row}_`;
}
