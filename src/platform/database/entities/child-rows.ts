import type { ObjectLiteral } from 'typeorm';
import { exactJson } from '../../values/exact-json';
import type { Database } from '../database';
import { constraintError } from './constraint-errors';
import { keysOf, type ChildRelation, valueColumns } from '../statements/child-selection';
import { bindable, type BoundValue } from '../statements/row-values';
import { rowsInsertion } from './rows-insertion';
import { parameter, type Statement } from '../statements/statement';

/** A row with the its child rows. */
export type Parent = ObjectLiteral & { readonly id: bigint };

/** Stores the rows that are a part of a parent row. */
export class ChildRows {
  private readonly name: string;
  private insertion: Statement<object> | undefined;
  private removal: Statement<object> | undefined;

  constructor(
    private readonly database: Database,
    private readonly relation: ChildRelation,
  ) {
    this.name = relation.propertyName;
  }

  /**
   * Stores the child rows of new parents, in one statement.
   *
   * @throws MissingReferenceError or DuplicateValueError
   */
  async insert(parents: readonly Parent[]): Promise<void> {
    const rows = parents.flatMap((parent) => this.rowsOf(parent));
    if (rows.length === 0) return;
    this.insertion ??= this.prepareInsertion();
    try {
      await this.database.query(this.insertion, { rows: exactJson(rows) });
    } catch (error) {
      const { inverseEntityMetadata } = this.relation;
      const items = this.itemsOf(parents);
      const placeOf = (index: number) => `${this.name}[${items[index]?.index}].`;
      const refused = items.map(({ row }) => row);
      throw await constraintError(error, this.database, inverseEntityMetadata, refused, placeOf);
    }
  }

  /** Replaces the child rows of a parent, unless they are the same. */
  async replace(parent: Parent, before: ObjectLiteral): Promise<void> {
    const [now, then] = [this.rowsOf(parent), this.rowsOf({ ...before, id: parent.id })];
    if (exactJson(now) === exactJson(then)) return;
    const { inverseEntityMetadata: item } = this.relation;
    const { parent: key } = keysOf(this.relation);
    this.removal ??= this.database.prepare(
      (manager) =>
        manager
          .createQueryBuilder()
          .delete()
          .from(item.target)
          .where(`"${key.databaseName}" = :parent`, { parent: parameter('parent') }),
      `RETURNING "${key.databaseName}"`,
    );
    await this.database.query(this.removal, { parent: parent.id });
    await this.insert([parent]);
  }

  /** Each row as an array: its parent's id, its position, and its values. */
  private rowsOf({ id, [this.name]: items }: Parent): unknown[][] {
    const { engine } = this.database;
    const columns = valueColumns(this.relation);
    return (items as readonly ObjectLiteral[]).map((item, position) => [
      id,
      position,
      ...columns.map(({ propertyName }) => bindable(item[propertyName] as BoundValue, engine) ?? null),
    ]);
  }

  /** Child rows, with the index of each in its array. */
  private itemsOf(parents: readonly Parent[]): { readonly row: ObjectLiteral; readonly index: number }[] {
    const { parent } = keysOf(this.relation);
    return parents.flatMap(({ id, [this.name]: items }) =>
      (items as readonly ObjectLiteral[]).map((item, index) => ({
        row: { ...item, [parent.propertyName]: id },
        index,
      })),
    );
  }

  private prepareInsertion(): Statement<object> {
    const { parent, position } = keysOf(this.relation);
    const columns = [parent, position, ...valueColumns(this.relation)];
    const { tableName } = this.relation.inverseEntityMetadata;
    return rowsInsertion(this.database, tableName, columns, `RETURNING "${parent.databaseName}"`);
  }
}
