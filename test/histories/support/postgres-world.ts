import { runOn, startPostgresReplica } from '../../support/databases/postgres-replica';
import { startPostgresServer } from '../../support/databases/postgres-server';
import { databaseFaults } from './database-faults';
import { replicaPromoted } from './promoted-replica';
import { addressOf, newName, NODES, WAITING, type World } from './world';

/** Makes a replica carry out each commit that late: nodes wait for it, and a read that does not wait shows an older state. */
const LATE = 'recovery_min_apply_delay=30ms';

/** A primary with two replicas, of which one is always late, which stay for all databases. */
export async function startPostgresWorld(): Promise<World> {
  const primary = await startPostgresServer();
  const replicas = [await startPostgresReplica(primary), await startPostgresReplica(primary, [LATE])];
  return {
    operationsPerFault: 150,
    createDatabase: async () => {
      const name = newName();
      await runOn(primary, `CREATE DATABASE ${name}`);
      const within = ({ url }: { readonly url: string }) => addressOf(url, name);
      return {
        nodes: NODES,
        environment: {
          DATABASE_URL: within(primary),
          DATABASE_REPLICA_URLS: replicas.map(within).join(),
        },
        faults: (nodes) => [
          ...nodes.faults,
          nodes.clockFault,
          ...databaseFaults(primary, replicas),
          replicaPromoted(primary, replicas, name),
        ],
        isDelivered: async () => (await runOn({ url: within(primary) }, WAITING)).length === 0,
        drop: () => runOn(primary, `DROP DATABASE ${name} WITH (FORCE)`),
      };
    },
    end: async () => {
      for (const server of [...replicas, primary]) await server.stop();
    },
  };
}
