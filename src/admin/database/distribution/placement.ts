import type { DataSource, EntityMetadata } from 'typeorm';
import { childRelations } from '../../../platform/database/statements/child-selection';

/**
 * Location of the rows of a table: `distributed` over the workers by the value of a column, `reference` on every machine as a
 * whole, or `local` on the coordinator.
 */
export type Place = 'distributed' | 'reference' | 'local';

/** The placement that a table should have. */
export interface Placement {
  readonly table: string;
  readonly place: Place;
  /** The column whose value determines a row's worker; null unless distributed. */
  readonly column: string | null;
  /** The table that has its rows of the same value on the same worker, or null. */
  readonly colocatedWith: string | null;
  /** One sentence. */
  readonly reason: string;
}

/** An entity whose table is to be distributed, and the member by which each of its rows is looked up. */
export interface Spread {
  readonly entity: Function;
  readonly by: string;
}

const KEPT_FOR_ITSELF = 'It belongs to the service itself, whose tables stay on one machine.';

type Column = EntityMetadata['columns'][number];

/** A table that may be distributed by this column. */
interface Candidate {
  readonly column: Column;
  /** The table whose rows own its rows. */
  readonly owner?: EntityMetadata;
}

const NOT_DISTRIBUTED: Partial<Candidate> = {};

/** The decision about a table; decisions only change from `distributed` over `local` to `reference`, so they come to an end. */
interface Decision {
  readonly place: Place;
  readonly reason: string;
}

/**
 * Decides where each table belongs; tables come after those they refer to. Citus sets the rules: every unique key of a
 * distributed table contains its column, and a foreign key leads to a row on the same machine, which is certain for a reference
 * table, and for a co-located table if the key contains the column.
 *
 * @param spread the entities to distribute, with their child rows; all other tables stay where they are unless a foreign key
 * needs them elsewhere
 */
export function placementsOf(dataSource: DataSource, spread: readonly Spread[]): Placement[] {
  const tables = inOrderOfReferences(dataSource.entityMetadatas);
  const candidates = candidatesOf(dataSource, spread);
  const decisions = new Map(tables.map((table) => [table, first(table, candidates.get(table))]));
  while (tables.some((table) => settle(table, candidates, decisions)));
  return tables.map((table) => {
    const { place, reason } = decisions.get(table) as Decision;
    const { column, owner } =
      place === 'distributed' ? (candidates.get(table) as Candidate) : NOT_DISTRIBUTED;
    return {
      table: table.tableName,
      place,
      column: column?.databaseName ?? null,
      colocatedWith: owner?.tableName ?? null,
      reason,
    };
  });
}

function candidatesOf(
  dataSource: DataSource,
  spread: readonly Spread[],
): ReadonlyMap<EntityMetadata, Candidate> {
  const candidates = new Map<EntityMetadata, Candidate>();
  for (const { entity, by } of spread) {
    const owner = dataSource.getMetadata(entity);
    candidates.set(owner, { column: owner.findColumnWithPropertyName(by) as Column });
    for (const { inverseEntityMetadata, inverseRelation } of childRelations(owner)) {
      candidates.set(inverseEntityMetadata, { column: inverseRelation?.joinColumns[0] as Column, owner });
    }
  }
  return candidates;
}

/** The placement of a table if there were no foreign keys. */
function first(table: EntityMetadata, candidate: Candidate | undefined): Decision {
  if (!candidate) return { place: 'local', reason: KEPT_FOR_ITSELF };
  const { column, owner } = candidate;
  const lacking = uniqueKeysOf(table).find(({ columns }) => !columns.includes(column));
  if (lacking) {
    const reason = `No worker could check alone that ${lacking.name} is unique, because it does not contain ${column.databaseName}.`;
    return { place: 'local', reason };
  }
  const reason = owner
    ? `Its rows belong to rows of ${owner.tableName} and are stored beside them.`
    : `Its rows are written and read one by one, by ${column.databaseName}.`;
  return { place: 'distributed', reason };
}

/** @returns true if a decision had to be changed */
function settle(
  table: EntityMetadata,
  candidates: ReadonlyMap<EntityMetadata, Candidate>,
  decisions: Map<EntityMetadata, Decision>,
): boolean {
  const { place } = decisions.get(table) as Decision;
  const { column, owner } = candidates.get(table) ?? {};
  const placeOfOwner = owner && decisions.get(owner)?.place;
  if (owner && place === 'distributed' && placeOfOwner && placeOfOwner !== 'distributed') {
    const reason = `Its rows belong to rows of ${owner.tableName}, which is not distributed.`;
    decisions.set(table, { place: placeOfOwner, reason });
    return true;
  }
  for (const { columns, referencedEntityMetadata: target } of table.foreignKeys) {
    const there = decisions.get(target)?.place;
    if (there === 'reference' || (there === 'local' && place === 'local')) continue;
    const isColocated = place === 'distributed' && target === owner && columns[0] === column;
    if (isColocated) continue;
    const [{ databaseName = '' } = {}] = columns;
    const reason = `${table.tableName}.${databaseName} refers to it and needs its rows on every machine.`;
    decisions.set(target, { place: 'reference', reason });
    return true;
  }
  return false;
}

function uniqueKeysOf({ primaryColumns, uniques, indices }: EntityMetadata) {
  const primary = {
    name: primaryColumns[0]?.primaryKeyConstraintName ?? 'the primary key',
    columns: primaryColumns,
  };
  return [primary, ...uniques, ...indices.filter(({ isUnique }) => isUnique)];
}

/** Orders tables after those they refer to, and otherwise by name. */
function inOrderOfReferences(tables: readonly EntityMetadata[]): EntityMetadata[] {
  const ordered = new Set<EntityMetadata>();
  const visited = new Set<EntityMetadata>();
  const visit = (table: EntityMetadata) => {
    if (visited.has(table)) return;
    visited.add(table);
    for (const { referencedEntityMetadata } of table.foreignKeys) visit(referencedEntityMetadata);
    ordered.add(table);
  };
  tables.toSorted((one, other) => (one.tableName < other.tableName ? -1 : 1)).forEach(visit);
  return [...ordered];
}
