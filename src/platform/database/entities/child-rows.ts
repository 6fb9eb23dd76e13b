import type { ObjectLiteral } from 'typeorm';
import type { Database } from '../database';
import { constraintError } from './constraint-errors';
import { keysOf, type ChildRelation, valueColumns } from '../statements/child-selection';
import { OwnedReferences } from './owned-references';
import { RowsInsertion } from './rows-insertion';
import { parameter, type Statement } from '../statements/statement';

/** A row with its child rows. */
export type Parent = ObjectLiteral & { readonly id: bigint };

/** Stores the rows that are a part of a parent row: objects, or its links with other rows. */
export class ChildRows {
  private readonly name: string;
  private readonly insertion: RowsInsertion;
  private readonly references: OwnedReferences;
  private removal: Statement<object> | undefined;

  constructor(
    private readonly database: Database,
    private readonly relation: ChildRelation,
  ) {
    this.name = relation.propertyName;
    const { parent, position } = keysOf(relation);
    const columns = [parent, position, ...valueColumns(relation)];
    this.references = new OwnedReferences(database, relation.inverseEntityMetadata, parent.propertyName);
    this.insertion = new RowsInsertion(database, columns, `RETURNING "${parent.databaseName}"`);
  }

  /**
   * Stores the child rows of new parents, in one statement.
   *
   * @throws MissingReferenceError or DuplicateValueError
   */
  async insert(parents: readonly Parent[]): Promise<void> {
    const items = this.itemsOf(parents);
    const rows = items.map(({ row }) => row);
    const { link } = keysOf(this.relation);
    const pathOf = (index: number, property: string) =>
      `${this.name}[${items[index]?.index}]${link ? '' : `.${property}`}`;
    if (!this.references.isEmpty) await this.references.check(rows, pathOf);
    try {
      await this.insertion.insert(rows);
    } catch (error) {
      const { inverseEntityMetadata } = this.relation;
      throw await constraintError(error, this.database, inverseEntityMetadata, rows, pathOf);
    }
  }

  /** Replaces the child rows of a parent, unless they are the same. */
  async replace(parent: Parent, before: ObjectLiteral): Promise<void> {
    const textOf = (each: Parent) => this.insertion.textOf(this.itemsOf([each]).map(({ row }) => row));
    if (textOf(parent) === textOf({ ...before, id: parent.id })) return;
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

  /** Child rows, with the index of each in its array. */
  private itemsOf(parents: readonly Parent[]): { readonly row: ObjectLiteral; readonly index: number }[] {
    const { parent, position, link } = keysOf(this.relation);
    return parents.flatMap(({ id, [this.name]: items }) =>
      (items as readonly ObjectLiteral[]).map((item, index) => ({
        row: {
          ...(link ? { [link.propertyName]: item } : item),
          [parent.propertyName]: id,
          [position.propertyName]: index,
        },
        index,
      })),
    );
  }
}
