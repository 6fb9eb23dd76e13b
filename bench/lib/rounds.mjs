import { runLoad } from './load.mjs';
import { summarize } from './statistics.mjs';

const MEASURED = ['rate', 'p50', 'p99', 'generatorBusy', 'cpuMicros'];

/**
 * Measures several contenders in interleaved rounds (A B C, A B C, ...), so that a machine that
 * grows slower or faster meanwhile does so for all of them. Each is warmed up first.
 *
 * @param contenders list of `{key, server, scenario}`; only one is under load at a time
 * @returns `{[key]: {rate, p50, p99, generatorBusy, cpuMicros}}`, each `{median, min, max, values}`
 */
export async function measureInterleaved(contenders, plan) {
  for (const { server, scenario } of contenders) {
    await runLoad(server, scenario, { responses: plan.warmUpResponses });
  }
  const samples = Object.fromEntries(contenders.map(({ key }) => [key, []]));
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const { key, server, scenario } of contenders) {
      samples[key].push(await runLoad(server, scenario, { seconds: plan.seconds }));
    }
  }
  const summary = (list) => MEASURED.map((name) => [name, summarize(list.map((one) => one[name]))]);
  return Object.fromEntries(
    Object.entries(samples).map(([key, list]) => [key, Object.fromEntries(summary(list))]),
  );
}

/** The scenarios, one after the other, on all servers; keyed by their names, each with its title. */
export async function measureScenarios(servers, scenarios, plan, progress) {
  const measured = {};
  for (const scenario of scenarios) {
    progress(`  ${scenario.title}`);
    const contenders = servers.map((server) => ({ key: server.name, server, scenario }));
    measured[scenario.name] = { title: scenario.title, ...(await measureInterleaved(contenders, plan)) };
  }
  return measured;
}
