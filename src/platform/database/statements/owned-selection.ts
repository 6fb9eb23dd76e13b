import type { DataSource, EntityMetadata } from 'typeorm';

type Engine = 'sqlite' | 'postgres';

/** A member of an entity that is an array of rows of another table: `@OneToMany()` with `cascade`. */
export type OwnedRelation = EntityMetadata['oneToManyRelations'][number];

type Column = EntityMetadata['columns'][number];

/** The members of an entity whose rows are a part of its own: stored with it, replaced as a whole, removed with it. */
export function ownedRelations({ oneToManyRelations }: EntityMetadata): OwnedRelation[] {
  return oneToManyRelations.filter(({ isCascadeInsert }) => isCascadeInsert);
}

/**
 * The rows that a row owns, as SQL for its selection: one statement reads a page with all of them, as they are at one moment.
 *
 * @param alias of the owner in the query
 */
export function ownedSelection(relation: OwnedRelation, engine: Engine, alias: string): string {
  const { owner, position } = keysOf(relation);
  const { tableName } = relation.inverseEntityMetadata;
  const values = valuesOf(relation).map((column) => jsonOf(column, engine));
  const [gather, array] =
    engine === 'sqlite' ? ['json_group_array', 'json_array'] : ['json_agg', 'json_build_array'];
  const items = `${gather}(${array}(${values.join(', ')}) ORDER BY item."${position.databaseName}")`;
  const isOwned = `item."${owner.databaseName}" = "${alias}"."id"`;
  return `(SELECT ${items} FROM "${tableName}" item WHERE ${isOwned})`;
}

/** What makes the rows of what {@link ownedSelection} selects; a value that is not set is left out. */
export function ownedDecoder(
  relation: OwnedRelation,
  { driver }: DataSource,
): (selected: unknown) => object[] {
  const columns = valuesOf(relation);
  return (selected) => {
    const items = (typeof selected === 'string' ? JSON.parse(selected) : (selected ?? [])) as unknown[][];
    return items.map((values) => {
      const item: Record<string, unknown> = {};
      columns.forEach((column, index) => {
        const value = values[index];
        if (value !== null) item[column.propertyName] = driver.prepareHydratedValue(value, column) as unknown;
      });
      return item;
    });
  };
}

/** The two columns of the key of what is owned. */
export function keysOf(relation: OwnedRelation): { readonly owner: Column; readonly position: Column } {
  const { primaryColumns, tableName } = relation.inverseEntityMetadata;
  const owner = relation.inverseRelation?.joinColumns[0];
  const position = primaryColumns.find((column) => column !== owner);
  if (!owner || !position || primaryColumns.length !== 2) {
    throw new Error(`The key of ${tableName} must be the id of what owns a row, and its position there.`);
  }
  return { owner, position };
}

/** What a row that is owned has of its own. */
export function valuesOf({ inverseEntityMetadata: { columns } }: OwnedRelation): Column[] {
  return columns.filter(({ isPrimary, isSelect }) => !isPrimary && isSelect);
}

/** A value within JSON that loses nothing: an int64 is a text there, and an instant is in UTC. */
function jsonOf({ databaseName, type, isArray }: Column, engine: Engine): string {
  const value = `item."${databaseName}"`;
  if (type === 'bigint') return `CAST(${value} AS text${isArray && engine === 'postgres' ? '[]' : ''})`;
  if (type !== Date || isArray || engine === 'sqlite') return value;
  return `to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}
