import {
  Column,
  type ColumnOptions,
  type ColumnType,
  type DataSource,
  DeleteDateColumn,
  type EntityMetadata,
  PrimaryColumn,
  type QueryRunner,
} from 'typeorm';

import { CLIENT, type OwnerOf } from '../security/owner';
import type { DecimalDigits } from '../values/decimal';
import type { KindColumn } from '../values/kinds/kind';
import { type ColumnWord, kindOfColumn, KINDS, STORED_KINDS } from '../values/kinds/kinds';
import { adaptArrayColumns } from './array-columns';
import { adaptInstants, adaptNumbers } from './typeorm-values';

/** The engines this service stores in. */
export type Engine = 'sqlite' | 'postgres';

/** The engine behind a TypeORM data source. */
export function engineOf(dataSource: DataSource): Engine {
  return dataSource.options.type === 'postgres' ? 'postgres' : 'sqlite';
}

/** An engine's own names for the column types entities and migrations use. */
type ColumnTypes = Readonly<Record<ColumnWord | 'bytes', string>> & {
  readonly array: (type: string) => string;
};

const COLUMN_TYPES: Readonly<Record<Engine, ColumnTypes>> = {
  sqlite: { ...kindTypes('sqlite'), bytes: 'blob', array: () => 'text' },
  postgres: { ...kindTypes('postgres'), bytes: 'bytea', array: (type) => `${type}[]` },
};

function kindTypes(engine: Engine): Record<ColumnWord, string> {
  const types = STORED_KINDS.map(({ column }) => [column.word, column[engine]]);
  return Object.fromEntries(types) as Record<ColumnWord, string>;
}

/** Column types for a migration, in the words of the engine it runs on. */
export function columnTypes(queryRunner: QueryRunner): ColumnTypes {
  return COLUMN_TYPES[engineOf(queryRunner.dataSource)];
}

/**
 * Teaches a driver the service's column types before the metadata is built: those of the kinds of values, and arrays, which
 * SQLite has not.
 */
export function adaptColumnTypes(dataSource: DataSource): void {
  const { driver } = dataSource;
  const normalizeType = driver.normalizeType.bind(driver);
  const engine = engineOf(dataSource);
  const types = COLUMN_TYPES[engine];
  driver.normalizeType = (column) => {
    if (column.isArray && engine === 'sqlite') return types.text;
    const kind = kindOfColumn(column.type);
    if (kind) return kind.column[engine];
    if (column.type === 'blob' || column.type === 'bytea') return types.bytes;
    return normalizeType(column);
  };
  // TypeORM's own columns of dates, as @CreateDateColumn(), are instants as all others are.
  for (const type of ['createDate', 'updateDate', 'deleteDate'] as const)
    driver.mappedDataTypes[type] = KINDS['date-time'].column.type;
  adaptNumbers(dataSource);
  adaptInstants(dataSource, types.instant);
  adaptArrayColumns(dataSource, engine);
}

type PlainColumnOptions = Pick<
  ColumnOptions,
  'name' | 'nullable' | 'array' | 'update' | 'default' | keyof typeof RETIRED
>;

/**
 * Options of a column that this version neither reads nor writes, so that the next can drop it while nodes of this one still
 * serve. It must be nullable or have a default.
 */
export const RETIRED = { select: false, insert: false, update: false } as const;

/** Returns the type of the columns that store a kind, with the conversion of their values. */
function storing(
  { column: { type, fromDatabase } }: { readonly column: KindColumn & { readonly type: ColumnType } },
  digits?: DecimalDigits,
) {
  if (!fromDatabase) return { type };
  const from = (value: unknown) => fromDatabase(value as never, digits as never);
  return { type, transformer: { to: (value: unknown) => value, from } };
}

/** Options of a column of 64-bit integers, for a key that the service chooses. */
export const INT64 = storing(KINDS.int64);

/** A 64-bit integer; `bigint` in the entity on both engines. */
export function Int64Column(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ ...options, ...INT64 });
}

/** A 64-bit key the database assigns, ascending, never reused. */
export function GeneratedInt64Key(constraintName: string): PropertyDecorator {
  return PrimaryColumn({
    ...INT64,
    generated: 'increment',
    primaryKeyConstraintName: constraintName,
  });
}

/** A 32-bit integer; `number` in the entity. */
export function IntegerColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ ...options, ...storing(KINDS.integer) });
}

/** An IEEE 754 double. */
export function DoubleColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ ...options, ...storing(KINDS.number) });
}

/**
 * A decimal with so many digits, so many of them behind the point; `string` in the entity, `12.50`. SQLite keeps the numbers of
 * such a column as doubles, which tell decimals of up to 15 digits apart and sort them.
 */
export function DecimalColumn(digits: DecimalDigits, options: PlainColumnOptions = {}): PropertyDecorator {
  // The items of an array come with all their digits.
  return Column({ ...options, ...(!options.array && digits), ...storing(KINDS.decimal, digits) });
}

/** true or false. */
export function BooleanColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ ...options, ...storing(KINDS.boolean) });
}

/** A day of the calendar, without a time zone; `string` in the entity, `2026-01-31`. */
export function DateColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ ...options, ...storing(KINDS.date) });
}

/** A UUID; `string` in the entity, in lower case. */
export function UuidColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ ...options, ...storing(KINDS.uuid) });
}

/** A point in time with millisecond precision; `Date` in the entity, stored in UTC. */
export function InstantColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ ...options, ...storing(KINDS['date-time']) });
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

/** Column of an entity with the owner of each row. */
export interface OwnerColumnFacts {
  /** Member of the entity. */
  readonly property: string;
  readonly ownerOf: OwnerOf;
}

const OWNER_METADATA = Symbol('owner');

/**
 * Owner of a row: clients see and change their own rows alone, as if the table had no others, in whatever an
 * {@link EntityRepository} does. It sets the column. The lists of an owner need an index on (this, id).
 *
 * @param ownerOf the owner of a caller's rows: the client unless given
 */
export function OwnerColumn(ownerOf: OwnerOf = CLIENT): PropertyDecorator {
  return (target, property) => {
    const facts: OwnerColumnFacts = { property: property as string, ownerOf };
    Reflect.defineMetadata(OWNER_METADATA, facts, target.constructor);
    Column({ ...storing(KINDS.text), name: 'owner_id', update: false })(target, property);
  };
}

/** Returns what {@link OwnerColumn} says of an entity; undefined if its rows have no owners. */
export function ownerColumnOf(entity: EntityMetadata['target']): OwnerColumnFacts | undefined {
  return typeof entity === 'function'
    ? (Reflect.getMetadata(OWNER_METADATA, entity) as OwnerColumnFacts | undefined)
    : undefined;
}

/** Bytes; `Buffer` in the entity. */
export function BytesColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ ...options, type: 'blob' });
}

/** Text of any length. */
export function TextColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ ...options, ...storing(KINDS.text) });
}
