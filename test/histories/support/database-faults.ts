import { setTimeout as pause } from 'node:timers/promises';
import { runOn } from '../../support/databases/postgres-replica';
import type { PostgresServer } from '../../support/databases/postgres-server';
import { type Fault, LONGEST_FAULT_MS } from './faults';

/** Cuts each connection of the service to a server. */
export const CUT_CONNECTIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'petstore'`;

/** Faults of a primary and its replicas, none of which takes the place of another. */
export function databaseFaults(primary: PostgresServer, replicas: readonly PostgresServer[]): Fault[] {
  return [
    {
      name: 'primary killed',
      happen: async () => {
        await primary.kill('SIGKILL');
        await primary.start();
      },
    },
    { name: 'connections cut', happen: () => runOn(primary, CUT_CONNECTIONS) },
    {
      name: 'replica killed',
      happen: async (random) => {
        const replica = random.pick(replicas);
        await replica.kill('SIGKILL');
        await replica.start();
      },
    },
    {
      name: 'replica behind',
      happen: async (random) => {
        const replica = random.pick(replicas);
        await runOn(replica, 'SELECT pg_wal_replay_pause()');
        await pause(random.below(LONGEST_FAULT_MS));
        await runOn(replica, 'SELECT pg_wal_replay_resume()');
      },
    },
  ];
}
