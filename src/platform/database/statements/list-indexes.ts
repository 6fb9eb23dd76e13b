import type { EntityMetadata } from 'typeorm';
import { ownerColumnOf } from '../column-types';
import { textIndexesOf } from './text-index';
import { isExact, type Term } from './where';

/** Rows of a list, in a table that keeps removed ones. */
export type ListedRows = 'present' | 'removed' | 'all';

const REMOVAL = { present: 'IS NULL', removed: 'IS NOT NULL' } as const;

/**
 * Returns the members of each index that has the rows of a list in an order, without the id at its end: indexes of all rows, and
 * those that are declared with `where: '"removed_at" IS NULL'`, or `IS NOT NULL` for removed rows. All rows are in two of those.
 */
function listIndexes(metadata: EntityMetadata, rows: ListedRows): string[][] {
  const indexed = metadata.indices
    .map(({ columns }) => columns.map(({ propertyName }) => propertyName))
    .filter((names) => names.at(-1) === 'id' && hasRows(metadata, names, rows))
    .map((names) => names.slice(0, -1));
  return [
    ...indexed,
    ...textIndexesOf(metadata).map(({ property, membersAhead: ahead }) => [...ahead, property]),
  ];
}

/** Tells whether an index on some members has the rows of a list, or two together have them. */
function hasRows(metadata: EntityMetadata, names: readonly string[], rows: ListedRows): boolean {
  const isThere = (condition: string | undefined) => hasIndex(metadata, names, condition);
  if (isThere(undefined)) return true;
  const parts: ListedRows[] = rows === 'all' ? ['present', 'removed'] : [rows];
  return parts.every((part) => {
    const condition = conditionOf(metadata, part);
    return condition !== undefined && isThere(condition);
  });
}

function hasIndex(
  { indices }: EntityMetadata,
  names: readonly string[],
  condition: string | undefined,
): boolean {
  return indices.some(
    ({ where, columns }) =>
      (where ?? undefined) === condition &&
      columns.map(({ propertyName }) => propertyName).join() === names.join(),
  );
}

/** Returns the members that can order rows at the cost of the rows read: the id, and each one with an index on (it, id). */
export function indexedOrders(metadata: EntityMetadata, rows: ListedRows = 'present'): string[] {
  const indexed = listIndexes(metadata, rows).flatMap((names) => (names.length === 1 ? names : []));
  return [...new Set(['id', ...indexed])];
}

/**
 * Returns the members that conditions limit to one value each, or to none, and that an index has ahead of the members of an
 * order: the owner of the rows if it can be, so that those of others need not be passed over, and as many as there are. Undefined if
 * no index begins with one.
 */
export function membersAhead(
  metadata: EntityMetadata,
  terms: readonly Term[],
  by = 'id',
  rows: ListedRows = 'present',
): string[] | undefined {
  const exact = terms.filter(isExact).map(({ name }) => name);
  const owner = ownerColumnOf(metadata.target)?.property ?? '';
  const isOwned = (names: readonly string[]) => Number(names.includes(owner));
  return listIndexes(metadata, rows)
    .filter((names) => by === 'id' || names.at(-1) === by)
    .map((names) => (by === 'id' ? names : names.slice(0, -1)))
    .filter((names) => names.length > 0 && names.every((name) => exact.includes(name)))
    .toSorted((one, other) => isOwned(other) - isOwned(one) || other.length - one.length)[0];
}

/**
 * Returns the {@link membersAhead} of an order's member in its index, which may be none.
 *
 * @throws Error when no index has that order
 */
export function membersAheadIn(metadata: EntityMetadata, terms: readonly Term[], by: string): string[] {
  const ahead = membersAhead(metadata, terms, by);
  if (ahead) return ahead;
  if (indexedOrders(metadata).includes(by)) return [];
  throw new Error(`${metadata.tableName} has no index on (${by}, id), so no page can be read in that order.`);
}

/** Tells whether an index has the rows of a list in the order of a member and no others, such as no removed ones. */
export function hasRowsApart(metadata: EntityMetadata, by: string, rows: ListedRows): boolean {
  return hasIndex(metadata, inOrderOf(by), conditionOf(metadata, rows));
}

/** Tells whether an index has the rows of a list in the order of a member, or two together have them. */
export function isInOrder(metadata: EntityMetadata, by: string, rows: ListedRows): boolean {
  return hasRows(metadata, inOrderOf(by), rows);
}

/** Tells whether all rows are in an index of those that are there and in one of removed ones, but in no index of all. */
export function areInTwo(metadata: EntityMetadata, by: string): boolean {
  const isText = textIndexesOf(metadata).some(({ property }) => property === by);
  const names = inOrderOf(by);
  return by !== 'id' && !isText && !hasIndex(metadata, names, undefined) && hasRows(metadata, names, 'all');
}

function inOrderOf(by: string): string[] {
  return by === 'id' ? ['id'] : [by, 'id'];
}

/** Returns the condition of the indexes that have such rows alone. */
function conditionOf({ deleteDateColumn }: EntityMetadata, rows: ListedRows): string | undefined {
  return deleteDateColumn && rows !== 'all'
    ? `"${deleteDateColumn.databaseName}" ${REMOVAL[rows]}`
    : undefined;
}
