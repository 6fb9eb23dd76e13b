import type { DataSource, EntityMetadata } from 'typeorm';
import type { Placement } from './placement';

type ForeignKey = EntityMetadata['foreignKeys'][number];

/**
 * Statements that move tables to where they belong. A child table and its parent cannot move in one step, and between two steps
 * no foreign key may lead from one machine to several: so the child's key is dropped before and added afterwards.
 *
 * @param moving the tables that are not where they belong, in the order of {@link placementsOf}
 */
export function statementsFor(dataSource: DataSource, moving: readonly Placement[]): string[] {
  const ties = moving.flatMap((placement) => tiesOf(dataSource, placement));
  return [
    ...ties.map(({ table, name }) => `ALTER TABLE "${table}" DROP CONSTRAINT "${name}"`),
    ...moving.flatMap(movesOf),
    ...ties.map(({ table, key }) => `ALTER TABLE "${table}" ADD ${constraintSql(key)}`),
  ];
}

function tiesOf(dataSource: DataSource, { table, colocatedWith }: Placement) {
  const metadata = dataSource.entityMetadatas.find(({ tableName }) => tableName === table);
  const toOwner = metadata?.foreignKeys.filter(
    ({ referencedEntityMetadata }) => referencedEntityMetadata.tableName === colocatedWith,
  );
  return (toOwner ?? []).map((key) => ({ table, name: key.name, key }));
}

function constraintSql(key: ForeignKey): string {
  const { name, columnNames, referencedColumnNames, referencedEntityMetadata, onDelete } = key;
  const target = `"${referencedEntityMetadata.tableName}" (${namesOf(referencedColumnNames)})`;
  const deletion = onDelete === undefined ? '' : ` ON DELETE ${onDelete}`;
  return `CONSTRAINT "${name}" FOREIGN KEY (${namesOf(columnNames)}) REFERENCES ${target}${deletion}`;
}

/** Copies the rows of a table, and removes those left on the coordinator, where nothing reads them any more. */
function movesOf({ table, place, column, colocatedWith }: Placement): string[] {
  const name = quoted(table);
  const create =
    place === 'reference'
      ? `SELECT create_reference_table(${name})`
      : `SELECT create_distributed_table(${name}, '${column}', colocate_with => ${quoted(colocatedWith ?? 'none')})`;
  return [create, `SELECT truncate_local_data_after_distributing_table(${name})`];
}

const namesOf = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(', ');

/** Quotes a table name as an SQL string: in lower case unless it stands in quotation marks itself. */
function quoted(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? `'${name}'` : `'"${name}"'`;
}
