import { setTimeout as pause } from 'node:timers/promises';
import { type DatabaseCluster, runAt } from '../../nodes/support/database-cluster';
import type { DatabaseMachine } from '../../nodes/support/database-machine';
import {
  cutOff,
  killed,
  paused,
  type PrimaryFault,
  replacedByCommand,
} from '../../nodes/support/primary-faults';
import { CUT_CONNECTIONS } from './database-faults';
import { type Fault, LONGEST_FAULT_MS } from './faults';
import type { Random } from './random';

/** Faults of three database machines with Patroni: another one becomes the primary, or a replica is away or behind. */
export function clusterFaults(cluster: DatabaseCluster): Fault[] {
  return [
    failover('failover, primary killed', cluster, killed),
    failover('failover, primary cut off', cluster, cutOff),
    failover('failover, primary paused', cluster, paused),
    failover('failover by command', cluster, replacedByCommand),
    { name: 'connections cut', happen: () => runAt(cluster.superuserUrl('postgres'), CUT_CONNECTIONS) },
    {
      name: 'replica machine killed',
      happen: async (random) => {
        const replica = await replicaOf(cluster, random);
        await replica.stop();
        replica.start();
        await cluster.settled();
      },
    },
    {
      name: 'replica behind',
      happen: async (random) => {
        const url = (await replicaOf(cluster, random)).url('postgres');
        await runAt(url, 'SELECT pg_wal_replay_pause()');
        await pause(random.below(LONGEST_FAULT_MS));
        await runAt(url, 'SELECT pg_wal_replay_resume()');
      },
    },
  ];
}

/** A failover is over when the former primary is a replica. */
function failover(name: string, cluster: DatabaseCluster, fault: PrimaryFault): Fault {
  return {
    name,
    happen: async () => {
      await cluster.settled();
      const former = await cluster.primary();
      const comeBack = await fault(former, cluster);
      await cluster.replaced(former);
      comeBack();
      await cluster.settled();
    },
  };
}

async function replicaOf(cluster: DatabaseCluster, random: Random): Promise<DatabaseMachine> {
  const primary = await cluster.primary();
  return random.pick(cluster.machines.filter((machine) => machine !== primary));
}
