import { startBalanced } from './entrance.mjs';
import { runLoad } from './load.mjs';
import { closedScenario, probe, sendOpenLoad } from './overload.mjs';

const PROCESSES = [1, 2, 4];
export const TIMES = [0.8, 1, 3, 10];
const LOADS = [
  { title: 'gets', asks: ['get'] },
  { title: 'creations', asks: ['create'] },
  { title: 'mixed: 60 get, 20 list, 20 create', asks: ['get', 'get', 'get', 'list', 'create'], page: 20 },
];

/** Fewer and shorter than those of the part `overload`: there are 36 loads of an engine. */
const CONNECTIONS = 2_000;
const SECONDS = 2;
const WARM_UP_RESPONSES = 5_000;

/**
 * Asks one, two and four processes behind the balancer, by an open loop, for shares and multiples of what they do without it in a
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
    for (const { title, ...asked } of LOADS) {
      progress(`  processes: ${processes}, ${title}`);
      const scenario = closedScenario({ ...asked, connect: 'kept' }, authorization, plan.rows);
      for (const way of [server.direct, server])
        await runLoad(way, scenario, { responses: WARM_UP_RESPONSES });
      const measure = async (what, work) =>
        (await machine.round((watch) => watch(`${title}, ${processes} processes, ${what}`, work))).result;
      const { rate: capacity } = await measure('capacity', () =>
        runLoad(server.direct, scenario, { seconds: SECONDS }),
      );
      const kept = { connect: 'kept', connections: CONNECTIONS, seconds: SECONDS };
      const loads = [];
      for (const times of TIMES) {
        const load = {
          ...asked,
          ...kept,
          url: server.url,
          authorization,
          rows: plan.rows,
          rate: capacity * times,
        };
        loads.push({ times, ...(await measure(`${times} x`, () => measureLoad(server, kind, load))) });
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
