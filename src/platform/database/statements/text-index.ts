import type { DataSource, EntityMetadata, QueryRunner } from 'typeorm';
import { type Engine, engineOf } from '../column-types';
import { makeIndex } from '../driver/requirements';

/**
 * Characters of a text that an index covers on PostgreSQL. Its B-trees refuse an entry of more than 2,704 bytes, with the whole row,
 * and a character takes up to four. Migrations have made indexes with this number: it never changes.
 */
const INDEXED_CHARACTERS = 500;

/** The part of a text that its index covers, as SQL: on SQLite the whole text. */
export function indexedPart(engine: Engine, column: string): string {
  return byCodePoints(engine, engine === 'postgres' ? `left(${column}, ${INDEXED_CHARACTERS})` : column);
}

/** A text as SQL that is compared by its code points, as SQLite does: PostgreSQL asks the locale of the database unless told. */
export function byCodePoints(engine: Engine, text: string): string {
  return engine === 'postgres' ? `${text} COLLATE "C"` : text;
}

declare module 'typeorm/decorator/options/IndexOptions.js' {
  interface IndexOptions {
    /** Left out of TypeORM's types where an index has several members, though it reads it there as well. */
    synchronize?: false;
  }
}

/** An index on a text of any length, and the id. */
export interface TextIndex {
  readonly name: string;
  readonly table: string;
  readonly column: string;
  /** Columns before the text in the index, such as that of the owner. */
  readonly ahead?: readonly string[];
}

/** An index that an entity declares, with the members of its columns. */
interface DeclaredTextIndex extends TextIndex {
  readonly property: string;
  readonly membersAhead: readonly string[];
}

/**
 * Makes an index to sort by a text of any length, unless there is one of this name; refuses to on a large table, as `addIndex` does.
 *
 * TypeORM knows no index on an expression, so the entity declares it on the property, or on the class with columns before the text,
 * with `synchronize: false`, and a migration makes it.
 */
export async function createTextIndex(queryRunner: QueryRunner, index: TextIndex): Promise<void> {
  const engine = engineOf(queryRunner.dataSource);
  const sql = creationOf(engine, index);
  if (engine === 'sqlite') await queryRunner.query(sql);
  else await makeIndex(queryRunner, { ...index, columns: [...(index.ahead ?? []), index.column] }, sql);
}

function creationOf(engine: Engine, index: TextIndex): string {
  return `CREATE INDEX IF NOT EXISTS "${index.name}" ON "${index.table}" (${partsOf(engine, index).join(', ')})`;
}

/** The parts of an index, as SQL. */
function partsOf(engine: Engine, { column, ahead = [] }: TextIndex): string[] {
  return [...ahead.map((name) => `"${name}"`), indexedPart(engine, `"${column}"`), '"id"'];
}

/** The indexes of {@link createTextIndex} that an entity declares. */
export function textIndexesOf({ indices, tableName, columns }: EntityMetadata): DeclaredTextIndex[] {
  return indices
    .filter(({ synchronize }) => !synchronize)
    .flatMap(({ name, givenColumnNames }) => {
      const named = (givenColumnNames as string[]).flatMap(
        (member) => columns.find(({ propertyName }) => propertyName === member) ?? [],
      );
      const column = named.pop();
      return column
        ? [
            {
              ...{ name, table: tableName, column: column.databaseName, property: column.propertyName },
              ahead: named.map(({ databaseName }) => databaseName),
              membersAhead: named.map(({ propertyName }) => propertyName),
            },
          ]
        : [];
    });
}

/** Queries for the parts of an index on an entity's text, column by column. */
const COVERED = {
  sqlite: (name: string) => `SELECT name AS part FROM pragma_index_info('${name}') ORDER BY seqno`,
  postgres: (name: string) => `
    SELECT concat(pg_get_indexdef(indexrelid, part, true), CASE WHEN collname = 'C' THEN ' COLLATE C' END) AS part
    FROM pg_index CROSS JOIN LATERAL generate_series(1, indnkeyatts) AS part LEFT JOIN pg_collation ON pg_collation.oid = indcollation[part - 1]
    WHERE indexrelid = to_regclass('"${name}"') ORDER BY part`,
};

/** The statements that would make the indexes of {@link createTextIndex} that are missing, or cover something else. */
export async function missingTextIndexes(dataSource: DataSource): Promise<string[]> {
  const engine = engineOf(dataSource);
  const missing: string[] = [];
  for (const index of dataSource.entityMetadatas.flatMap(textIndexesOf)) {
    const covered: { part: string | null }[] = await dataSource.query(COVERED[engine](index.name));
    const parts = covered.map(({ part }) => part?.replaceAll('"', ''));
    const expected = partsOf(engine, index).map((part) => part.replaceAll('"', ''));
    if (parts.join() !== expected.join()) missing.push(creationOf(engine, index));
  }
  return missing;
}
