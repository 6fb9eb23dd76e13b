import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseCluster } from './database-cluster';
import type { DatabaseMachine } from './database-machine';

/** How long the kernel of a paused machine still takes connections, in milliseconds. */
const KERNEL_ALIVE_MS = 5_000;

/** Does something to the primary of a cluster. @returns lets the machine come back */
export type PrimaryFault = (
  primary: DatabaseMachine,
  cluster: DatabaseCluster,
) => (() => void) | Promise<() => void>;

export const killed: PrimaryFault = async (primary) => {
  // The commands may end with the machine, before they have said how they went.
  await Promise.allSettled([primary.follow('failover-kill'), primary.ended]);
  return () => primary.start();
};

/** Cuts it off from etcd and from the other two. */
export const cutOff: PrimaryFault = (primary, cluster) => cluster.cutOff(primary);

export const paused: PrimaryFault = async (primary) => {
  const resume = primary.pause();
  await pause(KERNEL_ALIVE_MS);
  // Told nothing of what happens meanwhile, it wakes up in the belief that it has the lease.
  const plugIn = primary.host.unplug();
  return () => {
    plugIn();
    resume();
  };
};

export const replacedByCommand: PrimaryFault = async (primary) => {
  expect(await primary.follow('failover-look')).toMatch(/Sync Standby/);
  await primary.follow('failover-switch');
  return () => undefined;
};
