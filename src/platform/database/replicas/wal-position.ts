import type { ClientBase, Pool } from 'pg';

/** Connection or pool to send a statement to. */
type Connection = Pick<Pool | ClientBase, 'query'>;

/** A place in the write-ahead log. */
export interface WalPosition {
  /** The history that it belongs to: each failover begins a new one, and servers of two histories have different rows. */
  readonly timeline: number;
  /** Position in bytes. */
  readonly offset: bigint;
}

/**
 * Reads how far the write-ahead log of the primary is flushed, in bytes. That covers every commit acknowledged before the
 * question, because a commit is flushed first, and everything a client has seen. The position of insertion would also cover
 * commits that no client has been told of yet, and replicas get those only once they are flushed. (`synchronous_commit = off`
 * acknowledges first: there this does not hold, and acknowledged commits can be lost.)
 */
const PRIMARY_POSITION = {
  name: 'petstore_flushed',
  text: `
    SELECT ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int AS timeline,
      (pg_current_wal_flush_lsn() - '0/0')::int8 AS offset
    WHERE NOT pg_is_in_recovery()`,
};

/**
 * Reads how far a replica has come; gives no row for a server that is no replica any more, such as a promoted one. The timeline
 * is that of its last checkpoint, which may be minutes old; a role that may read all statistics sees at once which one it
 * receives.
 */
const REPLICA_POSITION = {
  name: 'petstore_replayed',
  text: `
    SELECT COALESCE(
        (SELECT received_tli FROM pg_stat_wal_receiver), (SELECT timeline_id FROM pg_control_checkpoint())) AS timeline,
      (pg_last_wal_replay_lsn() - '0/0')::int8 AS offset
    WHERE pg_is_in_recovery()`,
};

/** The same for a primary and its replicas, and for no other server. */
const CLUSTER = 'SELECT system_identifier::text AS cluster FROM pg_control_system()';

/**
 * Resolves to the flushed position of the primary; undefined when the server is no primary.
 *
 * @param isKept true if connections keep the statements that they have prepared
 */
export function flushedPosition(primary: Connection, isKept: boolean): Promise<WalPosition | undefined> {
  return positionOf(primary, PRIMARY_POSITION, isKept);
}

/** Resolves to the replayed position of a replica; undefined when the server is no replica. See {@link flushedPosition}. */
export function replayedPosition(replica: Connection, isKept: boolean): Promise<WalPosition | undefined> {
  return positionOf(replica, REPLICA_POSITION, isKept);
}

/** The identifier of the cluster of files that a server was made with. */
export async function clusterOf(server: Connection): Promise<string | undefined> {
  const { rows } = await server.query<{ cluster: string }>(CLUSTER);
  return rows[0]?.cluster;
}

async function positionOf(connection: Connection, query: { name: string; text: string }, isKept: boolean) {
  const { rows } = await connection.query<WalPosition>(isKept ? query : query.text);
  return rows[0];
}

/** Tells whether a replica at one position has everything that the primary had at another. */
export function isAtLeast(replayed: WalPosition, flushed: WalPosition): boolean {
  return replayed.timeline === flushed.timeline && replayed.offset >= flushed.offset;
}
