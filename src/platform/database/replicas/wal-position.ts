import type { ClientBase, Pool } from 'pg';

/** Where a statement can be sent. */
type Connection = Pick<Pool | ClientBase, 'query'>;

/**
 * How far the write-ahead log of the primary is flushed, in bytes. It covers every commit that was acknowledged before the
 * question, because a commit is flushed first, and everything a client has seen. The position of insertion would also cover commits
 * that no client has been told of yet, and replicas get those only once they are flushed. (`synchronous_commit = off` acknowledges first: there it
 * does not hold, and acknowledged commits can be lost.)
 */
const PRIMARY_POSITION = {
  name: 'petstore_flushed',
  text: `SELECT CASE WHEN NOT pg_is_in_recovery() THEN (pg_current_wal_flush_lsn() - '0/0')::int8 END AS position`,
};

/** How far a replica has come; no position when it is none any more, as one that was promoted. */
const REPLICA_POSITION = {
  name: 'petstore_replayed',
  text: `SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::int8 END AS position`,
};

/** The same for a primary and its replicas, and for no other server. */
const CLUSTER = { text: 'SELECT system_identifier::text AS cluster FROM pg_control_system()' };

/** The flushed position of the primary; null when the server is none. */
export function flushedPosition(primary: Connection): Promise<bigint | null> {
  return positionOf(primary, PRIMARY_POSITION);
}

/** The replayed position of a replica; null when the server is none. */
export function replayedPosition(replica: Connection): Promise<bigint | null> {
  return positionOf(replica, REPLICA_POSITION);
}

/** The identifier of the cluster of files that a server was made with. */
export async function clusterOf(server: Connection): Promise<string | undefined> {
  const { rows } = await server.query<{ cluster: string }>(CLUSTER);
  return rows[0]?.cluster;
}

async function positionOf(connection: Connection, query: { name: string; text: string }) {
  const { rows } = await connection.query<{ position: bigint | null }>(query);
  return rows[0]?.position ?? null;
}
