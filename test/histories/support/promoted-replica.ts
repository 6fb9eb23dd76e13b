import { setTimeout as pause } from 'node:timers/promises';
import { remakePostgresReplica, runOn } from '../../support/databases/postgres-replica';
import type { PostgresServer } from '../../support/databases/postgres-server';
import { type Fault, LONGEST_FAULT_MS } from './faults';
import { addressOf } from './world';

/** Longest time in which nodes may take a promoted server for a replica, and in which one answers, in milliseconds. */
const TRUSTED_MS = 2_000;

/** A replica is promoted while the primary goes on, takes a write of its own, and is made anew. */
export function replicaPromoted(
  primary: PostgresServer,
  replicas: readonly PostgresServer[],
  database: string,
): Fault {
  return {
    name: 'replica promoted',
    happen: async (random) => {
      const replica = random.pick(replicas);
      await runOn(replica, 'SELECT pg_promote()');
      await pause(TRUSTED_MS);
      await runOn({ url: addressOf(replica.url, database) }, `UPDATE pets SET name = 'stray'`);
      await pause(random.below(LONGEST_FAULT_MS));
      await remakePostgresReplica(replica, primary);
    },
  };
}
