import {
  Column,
  type ColumnOptions,
  type DataSource,
  DeleteDateColumn,
  PrimaryColumn,
  type QueryRunner,
} from 'typeorm';

import type { DecimalDigits } from '../values/decimal';
import { adaptArrayColumns } from './array-columns';
import { adaptNumbers } from './typeorm-values';

/** The engines this service stores in. */
export type Engine = 'sqlite' | 'postgres';

/** The engine behind a TypeORM data source. */
export function engineOf(dataSource: DataSource): Engine {
  return dataSource.options.type === 'postgres' ? 'postgres' : 'sqlite';
}

/** The engines' own names for the column types entities and migrations use. */
const COLUMN_TYPES = {
  sqlite: {
    int64: 'integer',
    integer: 'integer',
    double: 'double precision',
    decimal: 'numeric',
    boolean: 'boolean',
    text: 'text',
    date: 'date',
    instant: 'datetime',
    uuid: 'text',
    bytes: 'blob',
    array: (_type: string) => 'text',
  },
  postgres: {
    int64: 'bigint',
    integer: 'integer',
    double: 'double precision',
    decimal: 'numeric',
    boolean: 'boolean',
    text: 'text',
    date: 'date',
    instant: 'timestamp with time zone',
    uuid: 'uuid',
    bytes: 'bytea',
    array: (type: string) => `${type}[]`,
  },
} as const;

/** Column types for a migration, in the words of the engine it runs on. */
export function columnTypes(queryRunner: QueryRunner): (typeof COLUMN_TYPES)[Engine] {
  return COLUMN_TYPES[engineOf(queryRunner.dataSource)];
}

/**
 * Teaches a driver the service's column types before the metadata is built.
 *
 * SQLite's INTEGER is 64 bits wide, and only `integer` may be a rowid alias; it has no arrays. PostgreSQL's timestamp without a
 * zone would be read in the zone of the process that reads it.
 */
export function adaptColumnTypes(dataSource: DataSource): void {
  const { driver } = dataSource;
  const normalizeType = driver.normalizeType.bind(driver);
  const engine = engineOf(dataSource);
  const types = COLUMN_TYPES[engine];
  driver.normalizeType = (column) => {
    if (column.isArray && engine === 'sqlite') return types.text;
    if (column.type === 'bigint') return types.int64;
    if (column.type === Date) return types.instant;
    if (column.type === 'uuid') return types.uuid;
    if (column.type === 'blob' || column.type === 'bytea') return types.bytes;
    return normalizeType(column);
  };
  // TypeORM's own columns of dates, as @CreateDateColumn().
  for (const type of ['createDate', 'updateDate', 'deleteDate'] as const)
    driver.mappedDataTypes[type] = types.instant;
  adaptNumbers(dataSource);
  adaptArrayColumns(dataSource, engine);
}

const int64Transformer = {
  to: (value: unknown) => value,
  from: (value: string | number | bigint | null) => (value === null ? null : BigInt(value)),
};

const integerTransformer = {
  to: (value: unknown) => value,
  from: (value: number | bigint | null) => (value === null ? null : Number(value)),
};

type PlainColumnOptions = Pick<
  ColumnOptions,
  'name' | 'nullable' | 'array' | 'update' | 'default' | keyof typeof RETIRED
>;

/**
 * Options of a column that this version neither reads nor writes, so that the next can drop it while nodes of this one still
 * serve. It must be nullable or have a default.
 */
export const RETIRED = { select: false, insert: false, update: false } as const;

/** A 64-bit integer; `bigint` in the entity on both engines. */
export function Int64Column(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ ...options, type: 'bigint', transformer: int64Transformer });
}

/** A 64-bit key the database assigns, ascending, never reused. */
export function GeneratedInt64Key(constraintName: string): PropertyDecorator {
  return PrimaryColumn({
    type: 'bigint',
    generated: 'increment',
    transformer: int64Transformer,
    primaryKeyConstraintName: constraintName,
  });
}

/** A 32-bit integer; `number` in the entity. SQLite is read with exact integers, hence the transformer. */
export function IntegerColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ ...options, type: 'integer', transformer: integerTransformer });
}

/** An IEEE 754 double. */
export function DoubleColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ ...options, type: 'double precision' });
}

/**
 * A decimal with so many digits, so many of them behind the point; `string` in the entity, `12.50`. SQLite keeps the numbers of
 * such a column as doubles, which tell decimals of up to 15 digits apart and sort them.
 */
export function DecimalColumn(
  { precision, scale }: DecimalDigits,
  options: PlainColumnOptions = {},
): PropertyDecorator {
  const from = (value: string | number | bigint | null) =>
    value === null || typeof value === 'string' ? value : Number(value).toFixed(scale);
  const transformer = { to: (value: unknown) => value, from };
  // The items of an array come with all their digits.
  return Column({ ...options, type: 'numeric', ...(!options.array && { precision, scale }), transformer });
}

/** true or false. */
export function BooleanColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ ...options, type: 'boolean' });
}

/** A day of the calendar, without a time zone; `string` in the entity, `2026-01-31`. */
export function DateColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ ...options, type: 'date' });
}

/** A UUID; `string` in the entity, in lower case. */
export function UuidColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ ...options, type: 'uuid' });
}

/** A point in time with millisecond precision; `Date` in the entity, stored in UTC. */
export function InstantColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ ...options, type: Date });
}

/** Columns that features do not handle, whose requests need not read them: `EntityRepository` fills them in. */
const KEPT_BY_THE_TABLE = { type: Date, nullable: true, select: false } as const;

/** Time at which a row was added; null in rows added by a version without this column. */
export function CreatedAtColumn(): PropertyDecorator {
  return Column({ ...KEPT_BY_THE_TABLE, name: 'created_at', update: false });
}

/** Time at which a row was removed. Its table keeps such rows, and only a query with `withDeleted` finds them. */
export function RemovedAtColumn(): PropertyDecorator {
  return DeleteDateColumn({ ...KEPT_BY_THE_TABLE, name: 'removed_at', insert: false });
}

/** Bytes; `Buffer` in the entity. */
export function BytesColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ ...options, type: 'blob' });
}

/** Text of any length. */
export function TextColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ ...options, type: 'text' });
}
