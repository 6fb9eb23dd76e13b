import type { Placement } from '../../platform/database/citus/placement';

/** What Citus makes of a local table what it is to be. Its rows are copied; those on the coordinator, which nothing reads any more, go. */
export function statementsFor({ table, place, column, colocatedWith }: Placement): string[] {
  const name = quoted(table);
  const create =
    place === 'reference'
      ? `SELECT create_reference_table(${name})`
      : `SELECT create_distributed_table(${name}, '${column}', colocate_with => ${quoted(colocatedWith ?? 'none')})`;
  return [create, `SELECT truncate_local_data_after_distributing_table(${name})`];
}

/** A name as a text that names a table: in lower case unless it stands in quotation marks itself. */
function quoted(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? `'${name}'` : `'"${name}"'`;
}
