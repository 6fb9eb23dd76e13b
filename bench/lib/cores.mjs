import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

let loadCore;
let serverCores;

/** Keeps this process, which is the load, on one core, and leaves the others to servers. Needs `taskset` of Linux. */
export function keepLoadOn(core) {
  const others = [...Array(availableParallelism()).keys()].filter((each) => each !== core);
  if (others.length === availableParallelism() || others.length === 0)
    throw new Error(`There is no core ${core} beside others.`);
  [loadCore, serverCores] = [String(core), others.join()];
  keepOn(loadCore, '--all-tasks');
}

/** Has the processes that `start` starts run on the cores of servers; on all of them unless the load is kept on one. */
export async function onServerCores(start) {
  if (serverCores === undefined) return start();
  keepOn(serverCores);
  try {
    return await start();
  } finally {
    keepOn(loadCore);
  }
}

/** A process that is started has the cores of the thread that starts it: the first one, whose number is that of the process. */
function keepOn(cores, ...options) {
  execFileSync('taskset', [...options, '--cpu-list', '--pid', cores, String(process.pid)]);
}
