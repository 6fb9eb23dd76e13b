import type { Type } from '@nestjs/common';
import type { EntityMetadata, ObjectLiteral } from 'typeorm';
import { currentOwner } from '../../security/owner';
import type { OwnerColumnFacts } from '../column-types';
import type { Database } from '../database';
import { missingReferenceAt, type PathOf } from './constraint-errors';
import type { Statement } from '../statements/statement';
import { presentIds } from './present-ids';
import { EntityStatements, OWNER_OF_WORK } from './entity-statements';

/** A member that refers to rows with owners. */
interface OwnedReference {
  readonly property: string;
  readonly table: string;
  readonly target: Type<ObjectLiteral>;
  readonly owners: OwnerColumnFacts;
  readonly presence: Statement<object>;
}

/** The references of an entity to rows that have owners: a foreign key alone would take another owner's row. */
export class OwnedReferences {
  private readonly references: readonly OwnedReference[];

  /** @param except the member that refers to the parent of a child row, which was judged before */
  constructor(
    private readonly database: Database,
    { foreignKeys }: EntityMetadata,
    except?: string,
  ) {
    this.references = foreignKeys.flatMap(({ columns: [column], referencedEntityMetadata: target }) => {
      if (!column || column.propertyName === except || typeof target.target !== 'function') return [];
      const entity = target.target as Type<ObjectLiteral>;
      const statements = new EntityStatements(database, entity);
      const { owners } = statements;
      if (!owners) return [];
      const presence = statements.presence('');
      const { tableName: table } = target;
      return [{ property: column.propertyName, table, target: entity, owners, presence }];
    });
  }

  /**
   * Refuses references to the rows of others, as if those did not exist.
   *
   * @param pathOf path of a member of the nth row in the request; its name unless given
   * @throws MissingReferenceError
   */
  async check(
    rows: readonly ObjectLiteral[],
    pathOf: PathOf = (_index, property) => property,
  ): Promise<void> {
    for (const reference of this.references) {
      const { property, table, owners } = reference;
      const owner = currentOwner(owners.ownerOf, table);
      if (owner === null) continue;
      const ids = new Set(rows.map((row) => (row[property] ?? null) as bigint | null));
      ids.delete(null);
      const present = await this.presentOf(reference, [...ids] as bigint[], owner);
      const index = rows.findIndex(
        ({ [property]: id }) => ids.has(id as bigint) && !present.has(id as bigint),
      );
      if (index < 0) continue;
      throw missingReferenceAt(pathOf(index, property));
    }
  }

  /** The ids among these that rows of an owner have. One is looked up by a prepared statement, several by few. */
  private async presentOf(
    { presence, target, owners }: OwnedReference,
    ids: readonly bigint[],
    owner: string,
  ): Promise<Set<bigint>> {
    const [id] = ids;
    if (id !== undefined && ids.length === 1) {
      const found = await this.database.query(presence, { id, [OWNER_OF_WORK]: owner });
      return new Set(found.length > 0 ? [id] : []);
    }
    return presentIds(this.database, target, ids, { [owners.property]: owner });
  }

  /** True if there are none, so that nothing has to be checked. */
  get isEmpty(): boolean {
    return this.references.length === 0;
  }
}
