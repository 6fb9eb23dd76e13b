import { measureScenarios } from './rounds.mjs';
import { makeScenarios } from './scenarios.mjs';
import { verifyDuties, verifyServer } from './verify.mjs';

/** What is compared: for each part the kinds, of which the first is measured against the others, and the scenarios. */
const COMPARISONS = {
  bare: {
    kinds: ({ context }) => ['service', 'fastify', ...(context ? ['express', 'nest'] : [])],
    names: ['get', 'anew', 'list', 'refused', 'malformed', 'create', 'mixed'],
  },
  duties: { kinds: () => ['serviceDuties', 'fastifyDuties'], names: ['anew', 'get', 'create', 'mixed'] },
  postgres: { kinds: () => ['service', 'fastify'], names: ['list', 'get', 'create', 'mixed'] },
};

/**
 * Puts the kinds of one part, on the same rows, through its scenarios.
 *
 * @returns `{servers: [{name, title, rssBytes}], scenarios: {[name]: {title, [server]: figures}}}`
 */
export async function measureComparison(part, fleet, kinds, token, plan, machine, progress) {
  const comparison = COMPARISONS[part];
  const chosen = comparison.kinds(plan).map((name) => kinds[name]);
  const servers = [];
  for (const kind of chosen) servers.push(await fleet.startFilled(kind, plan.rows, `${part}-${kind.name}`));
  for (const server of servers) {
    await verifyServer(server, token);
    if (part === 'duties') await verifyDuties(server, token);
  }
  const scenarios = makeScenarios(token, plan.rows).filter(
    ({ name }) => comparison.names.includes(name) && plan.scenarios.includes(name),
  );
  const measured = await measureScenarios(servers, scenarios, plan, machine, progress);
  const told = servers.map((server, i) => ({
    name: server.name,
    title: chosen[i].title,
    rssBytes: server.rssBytes(),
  }));
  await fleet.stopAll();
  return { servers: told, scenarios: measured };
}
