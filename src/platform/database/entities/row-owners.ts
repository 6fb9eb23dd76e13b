import type { ObjectLiteral } from 'typeorm';
import { defineError } from '../../errors/app-error';
import { currentOwner } from '../../security/owner';
import type { StatementValues } from '../statements/statement';
import { type EntityStatements, OWNER_OF_WORK } from './entity-statements';

/** An operator adds a row without saying whose it is. */
const OwnerRequiredError = defineError({
  code: 'owner_required',
  status: 409,
  message: 'Records that belong to clients are added by the clients.',
});

/** Keeps work for an owner to this owner's rows of an entity. Does nothing if rows have no owners. */
export class RowOwners {
  /** @throws Error when the lists of an owner have no index */
  constructor(private readonly statements: Pick<EntityStatements<ObjectLiteral>, 'metadata' | 'owners'>) {
    const { metadata, owners } = statements;
    const isIndexed = metadata.indices.some(
      ({ columns: [first, second], where }) =>
        first?.propertyName === owners?.property && second?.propertyName === 'id' && !where,
    );
    if (owners && !isIndexed)
      throw new Error(
        `${metadata.tableName} has no index on (${owners.property}, id), which the lists of an owner need.`,
      );
  }

  /** The owner whose rows the work in progress may see; null for all, and if rows have no owners. */
  current(): string | null {
    const { owners, metadata } = this.statements;
    return owners ? currentOwner(owners.ownerOf, metadata.tableName) : null;
  }

  /** Values for a statement about the row of a key. */
  keyed(values: StatementValues): StatementValues {
    return this.statements.owners ? { ...values, [OWNER_OF_WORK]: this.current() } : values;
  }

  /** Adds the owner to the conditions on rows. */
  among<Conditions extends object>(where: Conditions): Conditions {
    const owner = this.current();
    return owner === null ? where : { ...where, [this.statements.owners?.property as string]: owner };
  }

  /** Adds the owner to a new row. @throws OwnerRequiredError when the work is for all owners and the row names none */
  given<Row extends object>(row: Row): Row {
    const { owners, metadata } = this.statements;
    if (!owners) return row;
    const owner = this.current();
    const named = (row as Readonly<Record<string, unknown>>)[owners.property] ?? owner;
    if (named === null) throw new OwnerRequiredError();
    if (owner !== null && named !== owner) {
      throw new Error(`A row of ${metadata.tableName} for one owner was added in work for another.`);
    }
    return { ...row, [owners.property]: named };
  }

  /** Refuses what would pass by the owners of rows. @param what for the error, such as "TypeORM's repository" */
  assertForAll(what: string): void {
    if (this.current() === null) return;
    throw new Error(`${what} has the rows of all owners: say so by forAllOwners().`);
  }
}
