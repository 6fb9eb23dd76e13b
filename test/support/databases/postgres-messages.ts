import type { EventEmitter } from 'node:events';
import type { Pool, PoolClient } from 'pg';

/**
 * Counts the messages of a kind that come from the server over the connections that a pool hands out from now on.
 *
 * @param kind as node-postgres calls it: a `commandComplete` ends each statement, a `rowDescription` describes its rows
 */
export function countMessages(pool: Pool, kind: 'commandComplete' | 'rowDescription'): () => number {
  const watched = new WeakSet<PoolClient>();
  let count = 0;
  pool.on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    const { connection } = client as PoolClient & { connection: EventEmitter };
    connection.on(kind, () => count++);
  });
  return () => count;
}
