import type { EntityMetadata, ObjectLiteral } from 'typeorm';
import { ownerColumnOf } from '../../../src/platform/database/column-types';
import { Database } from '../../../src/platform/database/database';
import { RowsInsertion } from '../../../src/platform/database/entities/rows-insertion';
import { hasRowsApart } from '../../../src/platform/database/statements/list-indexes';
import { forAllOwners } from '../../../src/platform/security/owner';
import { DAY_MS } from '../../../src/platform/values/calendar';
import type { TestService } from '../service/service';

type ColumnMetadata = EntityMetadata['columns'][number];

const BATCH_ROWS = 1_000;

/** Age of the oldest row, in days. */
const OLDEST_DAYS = 8 * 365;

/** One row of so many is of the owner, and of the parents, of the newest row there was; the others are of others. */
const SHARE = 10;

/** Parts of all rows, from the oldest on, that have each value of an enum. */
const ENUMS_UNTIL = [0.85, 0.99, 1];

/** Different texts in a column, and different numbers. */
const MANY_VALUES = 5_000;
const FEW_VALUES = 50;

/** Part of all rows, from the oldest on, that has been removed, but for one in so many. */
const REMOVED_UNTIL = 0.33;
const KEPT_EVERY = 50;

/** Part of all rows, from the oldest on, without the values that a row may lack. */
const EMPTY_UNTIL = 0.02;

/** A row to be, by its place among all, the oldest first. */
interface Place {
  readonly index: number;
  /** From 0 to 1. */
  readonly part: number;
  readonly random: number;
}

/**
 * Adds rows as years leave them, whatever the columns of their entity: values go with age, few are of one owner, and most of the
 * oldest have been removed where an index has those that are there.
 *
 * @throws Error unless the table has a row, which the others are like
 */
export async function addAgedRows(
  { app }: TestService,
  metadata: EntityMetadata,
  count: number,
): Promise<void> {
  const database = app.get(Database, { strict: false });
  const examples = await examplesOf(database, metadata);
  const columns = metadata.columns.filter(({ isGenerated }) => !isGenerated);
  const insertion = new RowsInsertion(database, columns, 'RETURNING "id"');
  for (let stored = 0; stored < count; stored += BATCH_ROWS) {
    const rows = Array.from({ length: Math.min(BATCH_ROWS, count - stored) }, (_, offset) => {
      const index = stored + offset;
      const place = { index, part: index / count, random: scrambled(index) };
      return Object.fromEntries(
        columns.map((column) => [column.propertyName, valueOf(column, place, examples)]),
      );
    });
    await insertion.insert(rows);
  }
}

/** The newest row, and the one before it. */
async function examplesOf(database: Database, metadata: EntityMetadata): Promise<ObjectLiteral[]> {
  const rows = await forAllOwners(() =>
    database.dataSource
      .getRepository<ObjectLiteral>(metadata.target)
      .createQueryBuilder('row')
      .orderBy('row.id', 'DESC')
      .limit(2)
      .getMany(),
  );
  if (rows.length === 0) throw new Error(`${metadata.tableName} has no row to add others like.`);
  return rows;
}

function valueOf(column: ColumnMetadata, place: Place, [newest, other = newest]: ObjectLiteral[]): unknown {
  const { entityMetadata: metadata, propertyName: name } = column;
  const { index, part } = place;
  const example: unknown = (index % SHARE === 0 ? newest : other)?.[name];
  const at = new Date(Date.now() - (1 - part) * OLDEST_DAYS * DAY_MS);
  if (column.isDeleteDate) {
    const isRemoved =
      part < REMOVED_UNTIL && index % KEPT_EVERY > 0 && hasRowsApart(metadata, 'id', 'present');
    return isRemoved ? new Date(at.getTime() + (OLDEST_DAYS * DAY_MS) / 2) : null;
  }
  if (ownerColumnOf(metadata.target)?.property === name) {
    return index % SHARE === 0 ? newest?.[name] : `others ${index % SHARE}`;
  }
  const isReference = metadata.foreignKeys.some(({ columns }) => columns.includes(column));
  if (isReference || column.isArray || column.isVersion) return example;
  const isUnique = [...metadata.indices.filter((each) => each.isUnique), ...metadata.uniques].some(
    ({ columns }) => columns.includes(column),
  );
  if (column.isNullable && part < EMPTY_UNTIL && !isUnique) return null;
  return (
    made(column, { ...place, random: isUnique ? index : place.random % MANY_VALUES }, at, isUnique) ?? example
  );
}

/** Makes a value of the type of a column; undefined if a condition of the table may refuse it. */
function made(column: ColumnMetadata, { part, random }: Place, at: Date, isUnique: boolean): unknown {
  const checks = column.entityMetadata.checks.filter(({ expression }) =>
    expression.includes(`"${column.databaseName}"`),
  );
  const chosen = checks.flatMap(({ expression }) => / IN \((.*)\)/.exec(expression)?.[1] ?? []);
  if (chosen[0] !== undefined) {
    const values = [...chosen[0].matchAll(/'([^']*)'/g)].map(([, value]) => value);
    return values[ENUMS_UNTIL.findIndex((until) => part < until) % values.length];
  }
  if (column.type === Date) return at;
  if (column.type === 'date') return at.toISOString().slice(0, 'YYYY-MM-DD'.length);
  if (column.type === 'boolean') return part > 0.99;
  if (column.type === 'uuid') return `00000000-0000-4000-8000-${String(random).padStart(12, '0')}`;
  if (column.type === 'text') return `${'abcdefghij'.charAt((random / 10) % 10)}${random.toString(36)}`;
  if (checks.length > 0) return undefined;
  if (column.type === 'bigint') return BigInt(1 + (isUnique ? random : random % FEW_VALUES));
  if (column.type === 'integer') return 1 + (isUnique ? random : random % FEW_VALUES);
  if (column.type === 'double precision') return part * 100;
  return undefined;
}

/** Makes neighbours unlike each other. @returns an unsigned 32-bit integer */
function scrambled(index: number): number {
  const hash = Math.imul(index ^ (index >>> 16), 0x85ebca6b);
  return Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) >>> 0;
}
