import type { Place } from './placement';

/** Runs SQL and returns its rows. */
export type Query = <Row>(sql: string, values?: unknown[]) => Promise<Row[]>;

/** The state of a Citus cluster: its machines and the tables it has distributed. */
export interface CitusCluster {
  /** True on the coordinator, the only server that can distribute tables. */
  readonly isCoordinator: boolean;
  /** True if the coordinator also gets reference tables, so that its own tables can refer to them. */
  readonly knowsCoordinator: boolean;
  /** Number of machines that hold rows of distributed tables. */
  readonly workers: number;
  readonly places: ReadonlyMap<string, { readonly place: Place; readonly column: string | null }>;
}

const INSTALLED = `SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'`;

const NODES = `
  SELECT
    (SELECT groupid = 0 FROM pg_dist_local_group) AS "isCoordinator",
    coalesce(bool_or(groupid = 0), false) AS "knowsCoordinator",
    (count(*) FILTER (WHERE shouldhaveshards))::int AS workers
  FROM pg_dist_node WHERE isactive AND noderole = 'primary'`;

/** Leaves out tables that Citus manages but keeps on the coordinator. */
const PLACES = `
  SELECT relname AS "table", CASE partmethod WHEN 'n' THEN 'reference' ELSE 'distributed' END AS place,
    column_to_column_name(logicalrelid, partkey) AS "column"
  FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid
  WHERE pg_table_is_visible(logicalrelid) AND (partmethod <> 'n' OR repmodel = 't')`;

/** True if Citus is installed in this database. */
export async function hasCitus(query: Query): Promise<boolean> {
  return (await query(INSTALLED)).length > 0;
}

/** @returns undefined if Citus is not installed */
export async function readCluster(query: Query): Promise<CitusCluster | undefined> {
  if (!(await hasCitus(query))) return undefined;
  const [nodes] = await query<Omit<CitusCluster, 'places'>>(NODES);
  const placed = await query<{ table: string; place: Place; column: string | null }>(PLACES);
  const places = new Map(placed.map(({ table, ...at }) => [table, at]));
  return { ...(nodes as Omit<CitusCluster, 'places'>), places };
}
