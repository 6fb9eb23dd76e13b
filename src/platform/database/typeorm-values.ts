import type { DataSource } from 'typeorm';
import { storedInstant } from './stored-instant';

/** A column of an entity, as TypeORM describes it; the package does not export the type. */
type ColumnMetadata = DataSource['entityMetadatas'][number]['columns'][number];

/** Types whose values stay `bigint`, on both engines. */
const INT64_TYPES: ReadonlySet<unknown> = new Set(['bigint', 'int8', 'unsigned big int']);

/**
 * Lets TypeORM read numbers where the driver returns `bigint`, and gives keys that the database has assigned the form that the
 * entity's column declares. Without it, TypeORM's own columns of integers fail on SQLite, whose rows hold integers as `bigint`.
 */
export function adaptNumbers({ driver }: DataSource): void {
  const fromDatabase = driver.prepareHydratedValue.bind(driver);
  const generatedMap = driver.createGeneratedMap.bind(driver);
  driver.prepareHydratedValue = (value: unknown, column) =>
    fromDatabase(isPlainNumber(value, column) ? safeNumber(value, column) : value, column) as unknown;
  driver.createGeneratedMap = (metadata, ...given) => {
    const map = generatedMap(metadata, ...given);
    if (map) {
      for (const column of metadata.generatedColumns) {
        const value: unknown = column.getEntityValue(map);
        if (value !== undefined) column.setEntityValue(map, driver.prepareHydratedValue(value, column));
      }
    }
    return map;
  };
}

function isPlainNumber(value: unknown, { type, transformer }: ColumnMetadata): value is bigint {
  return typeof value === 'bigint' && transformer === undefined && !INT64_TYPES.has(type);
}

/** Lets TypeORM read no instant as null, or as an invalid `Date`, that the database has: it would count as not set. */
export function adaptInstants({ driver }: DataSource, instant: string): void {
  const fromDatabase = driver.prepareHydratedValue.bind(driver);
  driver.prepareHydratedValue = (value: unknown, column) => {
    const isInstant = column.type === Date || driver.normalizeType(column) === instant;
    if (!isInstant || value === null || value === undefined) return fromDatabase(value, column) as unknown;
    const read: unknown = fromDatabase(inUtc(value), column);
    if (column.transformer) return read;
    // TypeORM leaves it a text while a test sets the clock, which replaces the class that it knows instants by.
    return storedInstant(typeof read === 'string' ? new Date(read) : read, value);
  };
}

/** A time of SQLite with other digits than this service stores: TypeORM would read it in the zone of the process. */
const LOCAL_TIME = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d\.\d+)$/;

function inUtc(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(LOCAL_TIME, '$1T$2Z') : value;
}

/** @throws Error naming the column of an integer that a double would round */
function safeNumber(value: bigint, { entityMetadata, propertyPath }: ColumnMetadata): number {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new Error(
    `${entityMetadata.name}.${propertyPath} has an integer beyond 2^53: declare the column with @Int64Column().`,
  );
}
