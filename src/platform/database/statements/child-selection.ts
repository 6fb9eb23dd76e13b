import type { DataSource, EntityMetadata } from 'typeorm';
import { instantText } from './exact-place';

type Engine = 'sqlite' | 'postgres';

/** A member of an entity that is an array of rows of another table: `@OneToMany()` with `cascade`. */
export type ChildRelation = EntityMetadata['oneToManyRelations'][number];

type Column = EntityMetadata['columns'][number];

/** The members of an entity whose rows are a part of its own: stored with it, replaced as a whole, removed with it. */
export function childRelations({ oneToManyRelations }: EntityMetadata): ChildRelation[] {
  return oneToManyRelations.filter(({ isCascadeInsert }) => isCascadeInsert);
}

/**
 * The child rows of a row, as SQL for its selection: one statement reads a page with all of them, as they are at one moment.
 *
 * @param alias of the parent in the query
 */
export function childSelection(relation: ChildRelation, engine: Engine, alias: string): string {
  const { parent, position } = keysOf(relation);
  const { tableName } = relation.inverseEntityMetadata;
  const values = valueColumns(relation).map((column) => jsonOf(column, engine));
  const [gather, array] =
    engine === 'sqlite' ? ['json_group_array', 'json_array'] : ['json_agg', 'json_build_array'];
  const items = `${gather}(${array}(${values.join(', ')}) ORDER BY item."${position.databaseName}")`;
  const isChild = `item."${parent.databaseName}" = "${alias}"."id"`;
  return `(SELECT ${items} FROM "${tableName}" item WHERE ${isChild})`;
}

/** Returns the decoder of the rows that {@link childSelection} selects: ids of links, or objects without values that are not set. */
export function childDecoder(
  relation: ChildRelation,
  { driver }: DataSource,
): (selected: unknown) => (object | bigint)[] {
  const columns = valueColumns(relation);
  const isLinks = keysOf(relation).link !== undefined;
  return (selected) => {
    const items = (typeof selected === 'string' ? JSON.parse(selected) : (selected ?? [])) as unknown[][];
    if (isLinks) return items.map(([id]) => BigInt(id as string));
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

/** Columns by which a child row belongs to its parent. */
export interface ChildKeys {
  readonly parent: Column;
  readonly position: Column;
  /** Id of a row that the parent is linked with by a join table; the parent's member is an array of these ids. */
  readonly link: Column | undefined;
}

/** The columns by which a child row belongs to its parent: its key is the parent and the position, or the parent and a link. */
export function keysOf(relation: ChildRelation): ChildKeys {
  const { primaryColumns, columns, foreignKeys, tableName } = relation.inverseEntityMetadata;
  const parent = relation.inverseRelation?.joinColumns[0];
  const second = primaryColumns.find((column) => column !== parent);
  const link = foreignKeys.some((key) => key.columns[0] === second) ? second : undefined;
  const position = link ? columns.find(({ propertyName }) => propertyName === 'position') : second;
  if (!parent || !position || primaryColumns.length !== 2) {
    throw new Error(
      `The key of ${tableName} must be the id of the parent row, and its position there or, with a column position, the id of another row.`,
    );
  }
  return { parent, position, link };
}

/** The columns of a child row besides its parent and its position. */
export function valueColumns(relation: ChildRelation): Column[] {
  const { parent, position } = keysOf(relation);
  return relation.inverseEntityMetadata.columns.filter(
    (column) => column !== parent && column !== position && column.isSelect,
  );
}

/** A value within JSON that loses nothing: an int64 is a text there, and an instant is in UTC. */
function jsonOf({ databaseName, type, isArray }: Column, engine: Engine): string {
  const value = `item."${databaseName}"`;
  if (type === 'bigint') return `CAST(${value} AS text${isArray && engine === 'postgres' ? '[]' : ''})`;
  if (type !== Date || isArray || engine === 'sqlite') return value;
  return instantText(value);
}
