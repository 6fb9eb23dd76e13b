import { runLoad } from './load.mjs';
import { makeScenarios } from './scenarios.mjs';
import { summarize } from './statistics.mjs';

const FIRST_SECONDS = 5;
const SETTLED_SECONDS = 15;
const FIRST_NAMES = ['get', 'anew'];

/**
 * Milliseconds from spawn to ready of the service and of Fastify, each on a database with rows, and of the service on a
 * new one that it has to migrate.
 */
export async function measureStarts(fleet, { service, fastify }, plan, machine) {
  const times = { service: [], fastify: [], fresh: [] };
  for (const kind of [service, fastify]) await fleet.fill(kind, plan.rows, `starts-${kind.name}`);
  let databases = 0;
  const startAll = async (watch) => {
    databases += 1;
    const kinds = {
      service: [service, 'starts-service'],
      fastify: [fastify, 'starts-fastify'],
      fresh: [service, `starts-fresh-${databases}`],
    };
    const readyMs = {};
    for (const [label, [kind, database]] of Object.entries(kinds)) {
      const server = await watch(`start, ${label}`, () => fleet.start(kind, database));
      readyMs[label] = server.readyMs;
      await fleet.stop(server);
    }
    return readyMs;
  };
  for (let n = 0; n < plan.starts; n += 1) {
    const { result } = await machine.round(startAll);
    for (const label in times) times[label].push(result[label]);
  }
  return Object.fromEntries(Object.entries(times).map(([label, list]) => [label, summarize(list)]));
}

/**
 * Responses a second of a new process in its first seconds under load, beside those after the warm-up that the rounds
 * have and 15 s of load.
 *
 * @returns `{[scenario]: {title, first, steady}}`
 */
export async function measureFirstSeconds(fleet, { service, fastify }, token, plan, machine) {
  const scenarios = makeScenarios(token, plan.rows).filter(
    ({ name }) => FIRST_NAMES.includes(name) && plan.scenarios.includes(name),
  );
  await fleet.fill(service, plan.rows, 'first-service');
  // A generator that is new itself would be measured as well.
  const other = await fleet.startFilled(fastify, plan.rows, 'first-fastify');
  for (const scenario of scenarios) await runLoad(other, scenario, { responses: plan.warmUpResponses });
  await fleet.stop(other);

  const measured = {};
  for (const scenario of scenarios) {
    const rates = { first: [], steady: [] };
    const measure = async (watch) => {
      const server = await fleet.start(service, 'first-service');
      const load = (seconds) =>
        watch(`${scenario.title}, first seconds`, () => runLoad(server, scenario, { seconds }));
      const first = await load(FIRST_SECONDS);
      await runLoad(server, scenario, {
        seconds: SETTLED_SECONDS - FIRST_SECONDS,
        responses: plan.warmUpResponses - first.responses,
      });
      const steady = await load(FIRST_SECONDS);
      await fleet.stop(server);
      return { first: first.rate, steady: steady.rate };
    };
    for (let n = 0; n < plan.firsts; n += 1) {
      const { result } = await machine.round(measure);
      for (const label in rates) rates[label].push(result[label]);
    }
    const { title } = scenario;
    measured[scenario.name] = { title, first: summarize(rates.first), steady: summarize(rates.steady) };
  }
  return measured;
}
