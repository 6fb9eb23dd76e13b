import { startBalanced } from './entrance.mjs';
import { runLoad } from './load.mjs';
import { closedScenario, probe, sendOpenLoad } from './overload.mjs';

const PROCESSES = [1, 2, 3, 4];
export const TIMES = [0.8, 1, 3, 10];
const LOADS = [{ title: 'gets' }, { title: 'creations', creates: true }];

/** Fewer than the part `overload` has: there are 32 loads of an engine. */
const CONNECTIONS = 2_000;
const SECONDS = 3;
const WARM_UP_RESPONSES = 5_000;

/**
 * Asks one to four processes behind the balancer, by an open loop, for shares and multiples of what they do without it in a
 * closed loop.
 *
 * @returns `[{processes, title, capacity, loads: [{times, right, liveMs}], rssBytes}]`: responses a second, those within a second
 *   of each load, the longest wait of a probe on the management port of the first process, and the memory of all
 */
export async function measureProcesses(fleet, kind, token, plan, machine, progress) {
  const authorization = `Bearer ${token}`;
  const rows = [];
  for (const processes of PROCESSES) {
    const server = await startBalanced(fleet, kind, processes, `processes-${processes}`, plan.rows);
    for (const { title, creates = false } of LOADS) {
      progress(`  processes: ${processes}, ${title}`);
      const connect = 'kept';
      const scenario = closedScenario({ creates, connect }, authorization, plan.rows);
      await runLoad(server.direct, scenario, { responses: WARM_UP_RESPONSES });
      const { rate: capacity } = await runLoad(server.direct, scenario, { seconds: SECONDS });
      const asked = { url: server.url, authorization, connect, connections: CONNECTIONS, creates };
      const loads = [];
      for (const times of TIMES) {
        const load = { ...asked, rate: capacity * times, seconds: SECONDS, rows: plan.rows };
        const { result } = await machine.round((watch) =>
          watch(`${title}, ${processes} processes, ${times} x`, server.pid, () =>
            measureLoad(server, kind, load),
          ),
        );
        loads.push({ times, ...result });
      }
      rows.push({ processes, title, capacity, loads, rssBytes: server.rssBytes() });
    }
    await server.stop();
    await fleet.stopAll();
  }
  return rows;
}

async function measureLoad(server, kind, load) {
  const stopProbe = probe(server.managementUrl + kind.managementPath, load.authorization);
  const { inTime, failed } = await sendOpenLoad(load);
  const liveMs = await stopProbe();
  if (failed > 0) throw new Error(`${server.name}: ${failed} responses neither 200, 201, 429 nor 503`);
  return { right: inTime / load.seconds, liveMs };
}
