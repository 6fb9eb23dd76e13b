import type { DataSource } from 'typeorm';
import { hasCitus } from './cluster';

/** A machine that holds rows of distributed tables. */
export interface CitusWorker {
  /** Its address: `10.0.0.7:5432`. */
  readonly name: string;
  readonly isAway: boolean;
  /** Its share of the shards of each table. */
  readonly shards: readonly { readonly table: string; readonly here: number; readonly all: number }[];
}

/**
 * Time limit for connecting to a worker, in milliseconds. A scrape waits half a second for the readiness, which does not depend
 * on any one worker; in that time all are asked at once.
 */
const CONNECT_TIMEOUT_MS = 250;
/** A worker that hangs is cut off after this time, in milliseconds. */
const REPLY_TIMEOUT_MS = 800;

const SHARDS = `
  SELECT node.nodename || ':' || node.nodeport AS worker, shard.logicalrelid::regclass::text AS "table",
    count(*)::int AS here, (sum(count(*)) OVER (PARTITION BY shard.logicalrelid))::int AS "all"
  FROM pg_dist_node AS node
  JOIN pg_dist_placement AS placement USING (groupid)
  JOIN pg_dist_shard AS shard USING (shardid)
  JOIN pg_dist_partition AS distributed USING (logicalrelid)
  WHERE node.noderole = 'primary' AND distributed.partmethod = 'h'
  GROUP BY 1, 2, shard.logicalrelid ORDER BY 1, 2`;

const REPLIES = `
  SELECT nodename || ':' || nodeport AS worker, success AS "isThere" FROM run_command_on_workers('SELECT 1') ORDER BY 1`;

/**
 * Asks every worker whether it answers.
 *
 * @returns undefined if Citus is not installed
 * @throws the driver's error, also if a worker takes a connection and then does not answer
 */
export async function readWorkers(dataSource: DataSource): Promise<CitusWorker[] | undefined> {
  if (!(await hasCitus((sql) => dataSource.query(sql)))) return undefined;
  return dataSource.transaction(async (manager) => {
    await manager.query(`SET LOCAL citus.node_connection_timeout = ${CONNECT_TIMEOUT_MS}`);
    await manager.query(`SET LOCAL statement_timeout = ${REPLY_TIMEOUT_MS}`);
    const replies = await manager.query<{ worker: string; isThere: boolean }[]>(REPLIES);
    const shards =
      await manager.query<{ worker: string; table: string; here: number; all: number }[]>(SHARDS);
    return replies.map(({ worker: name, isThere }) => ({
      name,
      isAway: !isThere,
      shards: shards.filter(({ worker }) => worker === name),
    }));
  });
}

/** Names the shards that are away, in a sentence for operators; undefined if every worker answers. */
export function awaySentence(workers: readonly CitusWorker[]): string | undefined {
  const away = workers.filter(({ isAway }) => isAway);
  if (away.length === 0) return undefined;
  return away
    .map(({ name, shards }) => {
      const parts = shards.map(({ table, here, all }) => `${here} of ${all} shards of ${table}`);
      return `The worker ${name} does not answer${parts.length === 0 ? '' : `; it holds ${inWords(parts)}`}.`;
    })
    .join(' ');
}

const inWords = (parts: readonly string[]) => new Intl.ListFormat('en').format(parts);
