import { type QueryRunner, TableCheck } from 'typeorm';
import { engineOf } from '../column-types';
import { addCheck } from './late-constraints';

/** A condition on the rows of a table. */
export interface NamedCheck {
  readonly name: string;
  /** SQL that every row must fulfil; undefined if the table is to have no such check. */
  readonly expression: string | undefined;
}

/**
 * Gives a table a CHECK in place of the one of the same name, if there is one, as `addCheck` does. TypeORM rebuilds the table on
 * SQLite.
 */
export async function replaceCheck(
  queryRunner: QueryRunner,
  table: string,
  { name, expression }: NamedCheck,
): Promise<void> {
  if (engineOf(queryRunner.dataSource) === 'postgres') {
    await queryRunner.query(`ALTER TABLE "${table}" DROP CONSTRAINT IF EXISTS "${name}"`);
  } else {
    // Loaded again, for TypeORM does not see changes made in SQL.
    const there = await queryRunner.getTable(table);
    if (there?.checks.some((check) => check.name === name)) {
      await queryRunner.dropCheckConstraint(table, name);
    }
  }
  if (expression !== undefined) await addCheck(queryRunner, table, new TableCheck({ name, expression }));
}

/** Lets a column hold null, or no longer; for the latter `requireNotNull` comes first. TypeORM rebuilds the table on SQLite. */
export async function setNullable(
  queryRunner: QueryRunner,
  table: string,
  column: string,
  isNullable: boolean,
): Promise<void> {
  if (engineOf(queryRunner.dataSource) === 'postgres') {
    const change = isNullable ? 'DROP' : 'SET';
    await queryRunner.query(`ALTER TABLE "${table}" ALTER COLUMN "${column}" ${change} NOT NULL`);
    return;
  }
  const present = (await queryRunner.getTable(table))?.findColumnByName(column);
  if (!present) throw new Error(`The table ${table} has no column ${column}.`);
  const changed = present.clone();
  changed.isNullable = isNullable;
  await queryRunner.changeColumn(table, present, changed);
}
