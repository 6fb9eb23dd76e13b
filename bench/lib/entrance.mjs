import { balanced } from './balancer.mjs';
import { measureInterleaved } from './rounds.mjs';
import { makeScenarios } from './scenarios.mjs';

const PROCESSES = [1, 2, 4];
const CONNECTIONS = [16, 32];
const NAMES = ['get', 'create', 'mixed'];

/** Short, for there are 36 rows of an engine. */
const ROUNDS = { warmUpResponses: 3_000, rounds: 3, seconds: 0.6 };

/**
 * Starts processes of `kind` on one database, and the balancer before them.
 *
 * @returns what `balanced()` returns
 */
export async function startBalanced(fleet, kind, count, name, rows) {
  const servers = [await fleet.startFilled(kind, rows, name)];
  while (servers.length < count) servers.push(await fleet.start(kind, name));
  return balanced(servers, kind.readyPath);
}

/**
 * Asks one, two and four processes without the balancer and through it, by a closed loop.
 *
 * @returns `[{processes, connections, title, direct, behind}]`, the last two as `measureInterleaved()` has them
 */
export async function measureEntrance(fleet, kind, token, plan, machine, progress) {
  const scenarios = makeScenarios(token, plan.rows).filter(
    ({ name }) => NAMES.includes(name) && plan.scenarios.includes(name),
  );
  const rows = [];
  for (const processes of PROCESSES) {
    progress(`  processes: ${processes}`);
    const server = await startBalanced(fleet, kind, processes, `entrance-${processes}`, plan.rows);
    for (const scenario of scenarios) {
      for (const connections of CONNECTIONS) {
        const contenders = [
          { key: 'direct', server: server.direct, scenario, connections },
          { key: 'behind', server, scenario, connections },
        ];
        rows.push({
          processes,
          connections,
          title: scenario.title,
          ...(await measureInterleaved(contenders, ROUNDS, machine)),
        });
      }
    }
    await server.stop();
    await fleet.stopAll();
  }
  return rows;
}
