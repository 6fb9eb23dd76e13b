import { type DataSource, SelectQueryBuilder } from 'typeorm';
import { STORED_KINDS } from '../../values/kinds/kinds';
import { type ArrayItem, arrayText } from '../array-columns';
import { type Engine, engineOf } from '../column-types';
import { childDecoder, childRelations } from './child-selection';

/** A column of an entity, as TypeORM describes it; the package does not export the type. */
type ColumnMetadata = DataSource['entityMetadatas'][number]['columns'][number];

/** A value as repositories give it. */
export type BoundValue = ArrayItem | readonly ArrayItem[] | null | undefined;

/** A value as a driver takes it. */
type DriverValue = Exclude<ArrayItem, Date> | null | undefined;

/** Puts a row as the driver made it into the entity's form, in place. */
export type RowDecoder = (row: unknown) => void;

/** A value as the driver takes it. SQLite stores instants as TypeORM does: text in UTC, to the millisecond. */
export function bindable(value: BoundValue, engine: Engine): DriverValue {
  if (typeof value !== 'object' || value === null) {
    return engine === 'sqlite' && typeof value === 'boolean' ? Number(value) : value;
  }
  if (value instanceof Date) {
    const text = value.toISOString();
    return engine === 'sqlite' ? text.replace('T', ' ').replace('Z', '') : text;
  }
  return arrayText(value, engine);
}

/** Types whose values SQLite returns in another form than the entity has. */
const SQLITE_CONVERTED: ReadonlySet<string> = new Set(
  STORED_KINDS.flatMap(({ column }) => (column.isConvertedOnSqlite ? [column.sqlite] : [])),
);

/**
 * Returns the decoder of a query's rows, by TypeORM's own conversion; undefined when the driver's rows are right as they are,
 * such as those of pets, and those of PostgreSQL unless they own other rows.
 */
export function rowDecoder(given: unknown, dataSource: DataSource): RowDecoder | undefined {
  if (!(given instanceof SelectQueryBuilder)) return undefined;
  const query = given as SelectQueryBuilder<object>;
  const decoders = [
    ...(engineOf(dataSource) === 'postgres' ? [] : columnDecoders(query, dataSource)),
    ...childDecoders(query, dataSource),
  ];
  if (decoders.length === 0) return undefined;
  return (row) => {
    const values = row as Record<string, unknown>;
    for (const [name, decode] of decoders) values[name] = decode(values[name]);
  };
}

/** Function that makes the value of the entity, with the name of the value in rows. */
type ValueDecoder = readonly [name: string, decode: (value: unknown) => unknown];

function columnDecoders(query: SelectQueryBuilder<object>, { driver }: DataSource): ValueDecoder[] {
  const converted = [...selectedColumns(query)].filter(
    ([, column]) =>
      column.isArray || (column.type !== 'bigint' && SQLITE_CONVERTED.has(driver.normalizeType(column))),
  );
  return converted.map(([name, column]) => [
    name,
    (value) => driver.prepareHydratedValue(value, column) as unknown,
  ]);
}

function childDecoders(query: SelectQueryBuilder<object>, dataSource: DataSource): ValueDecoder[] {
  const { mainAlias, selects } = query.expressionMap;
  if (!mainAlias?.hasMetadata) return [];
  return childRelations(mainAlias.metadata)
    .filter(({ propertyName }) => selects.some(({ aliasName }) => aliasName === propertyName))
    .map((relation) => [relation.propertyName, childDecoder(relation, dataSource)]);
}

/** The columns a query selects, by the name they have in its rows. */
function selectedColumns({ expressionMap }: SelectQueryBuilder<object>): Map<string, ColumnMetadata> {
  const columns = new Map<string, ColumnMetadata>();
  for (const { selection, aliasName } of expressionMap.selects) {
    const [alias, property = ''] = selection.split('.');
    const entity = expressionMap.aliases.find(
      ({ name, hasMetadata }) => hasMetadata && name === alias,
    )?.metadata;
    const column = entity?.findColumnWithPropertyPath(property);
    if (column) columns.set(aliasName ?? selection, column);
  }
  return columns;
}
