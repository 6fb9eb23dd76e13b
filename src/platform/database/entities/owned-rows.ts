import type { ObjectLiteral } from 'typeorm';
import { exactJson } from '../../values/exact-json';
import type { Database } from '../database';
import { constraintError } from './constraint-errors';
import { keysOf, type OwnedRelation, valuesOf } from '../statements/owned-selection';
import { bindable, type BoundValue } from '../statements/row-values';
import { rowsInsertion } from './rows-insertion';
import { parameter, type Statement } from '../statements/statement';

/** A row with the rows it owns. */
export type Owner = ObjectLiteral & { readonly id: bigint };

/** Stores the rows that are a part of others. */
export class OwnedRows {
  private readonly name: string;
  private insertion: Statement<object> | undefined;
  private removal: Statement<object> | undefined;

  constructor(
    private readonly database: Database,
    private readonly relation: OwnedRelation,
  ) {
    this.name = relation.propertyName;
  }

  /**
   * Stores what new rows own, in one statement.
   *
   * @throws MissingReferenceError or DuplicateValueError
   */
  async insert(owners: readonly Owner[]): Promise<void> {
    const rows = owners.flatMap((owner) => this.rowsOf(owner));
    if (rows.length === 0) return;
    this.insertion ??= this.prepareInsertion();
    try {
      await this.database.query(this.insertion, { rows: exactJson(rows) });
    } catch (error) {
      const { inverseEntityMetadata } = this.relation;
      const items = this.itemsOf(owners);
      const placeOf = (index: number) => `${this.name}[${items[index]?.index}].`;
      const refused = items.map(({ row }) => row);
      throw await constraintError(error, this.database, inverseEntityMetadata, refused, placeOf);
    }
  }

  /** Puts what a row owns now in the place of what it owned; what is the same is not written. */
  async replace(owner: Owner, before: ObjectLiteral): Promise<void> {
    const [now, then] = [this.rowsOf(owner), this.rowsOf({ ...before, id: owner.id })];
    if (exactJson(now) === exactJson(then)) return;
    const { inverseEntityMetadata: item } = this.relation;
    const { owner: key } = keysOf(this.relation);
    this.removal ??= this.database.prepare(
      (manager) =>
        manager
          .createQueryBuilder()
          .delete()
          .from(item.target)
          .where(`"${key.databaseName}" = :owner`, { owner: parameter('owner') }),
      `RETURNING "${key.databaseName}"`,
    );
    await this.database.query(this.removal, { owner: owner.id });
    await this.insert([owner]);
  }

  /** Each row as an array: its owner's id, its position, and its values. */
  private rowsOf({ id, [this.name]: items }: Owner): unknown[][] {
    const { engine } = this.database;
    const columns = valuesOf(this.relation);
    return (items as readonly ObjectLiteral[]).map((item, position) => [
      id,
      position,
      ...columns.map(({ propertyName }) => bindable(item[propertyName] as BoundValue, engine) ?? null),
    ]);
  }

  /** What rows own, with the place of each in its array. */
  private itemsOf(owners: readonly Owner[]): { readonly row: ObjectLiteral; readonly index: number }[] {
    const { owner } = keysOf(this.relation);
    return owners.flatMap(({ id, [this.name]: items }) =>
      (items as readonly ObjectLiteral[]).map((item, index) => ({
        row: { ...item, [owner.propertyName]: id },
        index,
      })),
    );
  }

  private prepareInsertion(): Statement<object> {
    const { owner, position } = keysOf(this.relation);
    const columns = [owner, position, ...valuesOf(this.relation)];
    const { tableName } = this.relation.inverseEntityMetadata;
    return rowsInsertion(this.database, tableName, columns, `RETURNING "${owner.databaseName}"`);
  }
}
