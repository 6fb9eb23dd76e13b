import type { EntityMetadata, ObjectLiteral } from 'typeorm';
import { MissingReferenceError } from '../../errors/http-errors';
import { currentOwner } from '../../security/owner';
import type { OwnerColumnFacts } from '../column-types';
import type { Database } from '../database';
import type { Statement } from '../statements/statement';
import { EntityStatements, OWNER_OF_WORK } from './entity-statements';

/** A member that refers to rows with owners. */
interface OwnedReference {
  readonly property: string;
  readonly table: string;
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
      const statements = new EntityStatements(database, target.target as new () => ObjectLiteral);
      const { owners } = statements;
      if (!owners) return [];
      const presence = statements.presence('');
      return [{ property: column.propertyName, table: target.tableName, owners, presence }];
    });
  }

  /**
   * Refuses references to the rows of others, as if those did not exist.
   *
   * @param placeOf location of the nth row in the request, before the name of a member; its top unless given
   * @throws MissingReferenceError
   */
  async check(rows: readonly ObjectLiteral[], placeOf: (index: number) => string = () => ''): Promise<void> {
    for (const { property, table, owners, presence } of this.references) {
      const owner = currentOwner(owners.ownerOf, table);
      if (owner === null) continue;
      const known = new Set<unknown>([null, undefined]);
      for (const [index, row] of rows.entries()) {
        const id = row[property] as bigint;
        if (known.has(id)) continue;
        const found = await this.database.query(presence, { id, [OWNER_OF_WORK]: owner });
        if (found.length === 0) {
          const message = `${placeOf(index)}${property} refers to something that does not exist.`;
          throw new MissingReferenceError({ message });
        }
        known.add(id);
      }
    }
  }

  /** True if there are none, so that nothing has to be checked. */
  get isEmpty(): boolean {
    return this.references.length === 0;
  }
}
