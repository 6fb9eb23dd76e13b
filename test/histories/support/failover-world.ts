import { DatabaseCluster, runAt } from '../../nodes/support/database-cluster';
import { expectDone, follow } from '../../nodes/support/operations-pages';
import { makeFolder } from '../../support/folders';
import { clusterFaults } from './cluster-faults';
import { addressOf, newName, NODES, WAITING, type World } from './world';

/** Three database machines with Patroni behind HAProxy, as docs/operations has them, which stay for all databases. */
export async function startFailoverWorld(): Promise<World> {
  const cluster = await DatabaseCluster.start();
  const superuserUrl = cluster.superuserUrl('postgres');
  const settings = { SUPERUSER_URL: superuserUrl, PETSTORE_PASSWORD: 'change-me' };
  expectDone(await follow('failover-database', makeFolder(), { ...cluster.environment, ...settings }));
  return {
    // A failover takes half a minute, after which much is to be seen.
    operationsPerFault: 500,
    createDatabase: async () => {
      const name = newName();
      await runAt(superuserUrl, `CREATE DATABASE ${name} OWNER petstore`);
      const environment = Object.entries(cluster.environment).map(([variable, urls]) => [
        variable,
        urls
          .split(',')
          .map((url) => addressOf(url, name))
          .join(),
      ]);
      return {
        nodes: NODES,
        environment: Object.fromEntries(environment) as Record<string, string>,
        faults: (nodes) => [...nodes.faults, nodes.clockFault, ...clusterFaults(cluster)],
        isDelivered: async () => (await runAt(cluster.superuserUrl(name), WAITING)).length === 0,
        drop: () => runAt(superuserUrl, `DROP DATABASE ${name} WITH (FORCE)`),
      };
    },
    end: () => cluster.stop(),
  };
}
