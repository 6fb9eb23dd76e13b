import { runLoad } from './load.mjs';
import { median, summarize } from './statistics.mjs';

/** The largest difference of a round from the median of all, as a share of it, in processor time a response. */
const LARGEST_DIFFERENCE = 0.25;

const MEASURED = ['rate', 'p50', 'p99', 'generatorBusy', 'cpuMicros'];

/**
 * Measures several contenders in interleaved rounds (A B C, A B C, ...), so that a machine that
 * grows slower or faster meanwhile does so for all of them. Each is warmed up first. A round in which the machine was not quiet
 * is made again, and so is the one that differs most when rounds differ by much, while the machine has time for it.
 *
 * @param contenders list of `{key, server, scenario, connections?}`; only one is under load at a time
 * @returns `{[key]: {rate, p50, p99, generatorBusy, cpuMicros}}`, each `{median, min, max, values}`, whose values of one index are
 *   of one round
 */
export async function measureInterleaved(contenders, plan, machine) {
  for (const { server, scenario, connections } of contenders) {
    await runLoad(server, scenario, { responses: plan.warmUpResponses, connections });
  }
  const rounds = [];
  let again = 0;
  while (rounds.length < plan.rounds) {
    rounds.push(await machine.round((watch) => measureRound(contenders, plan, watch)));
    if (rounds.length < plan.rounds) continue;
    const { round, fault } = oddRound(rounds, contenders);
    if (!fault || !machine.mayRepeat(again, round.ms, [fault])) continue;
    rounds.splice(rounds.indexOf(round), 1);
    again += 1;
  }
  const summary = (key) =>
    MEASURED.map((name) => [name, summarize(rounds.map(({ result }) => result[key][name]))]);
  return Object.fromEntries(contenders.map(({ key }) => [key, Object.fromEntries(summary(key))]));
}

/** One load on each contender; gives the figures by their keys. */
async function measureRound(contenders, plan, watch) {
  const samples = {};
  for (const { key, server, scenario, connections } of contenders) {
    const load = () => runLoad(server, scenario, { seconds: plan.seconds, connections });
    samples[key] = await watch(`${scenario.title}, ${server.name}`, load);
  }
  return samples;
}

/** The round that differs most from the others, and the fault that it is if that is by more than rounds may differ. */
function oddRound(rounds, contenders) {
  const differences = contenders.flatMap(({ key, server, scenario }) => {
    const values = rounds.map(({ result }) => result[key].cpuMicros);
    const middle = median(values);
    return rounds.map((round, i) => ({
      round,
      share: Math.abs(values[i] / middle - 1),
      title: `${scenario.title}, ${server.name}`,
    }));
  });
  const { round, share, title } = differences.reduce((most, each) => (each.share > most.share ? each : most));
  const fault = `${title}: rounds differ by ${Math.round(share * 100)} % from their median`;
  return { round, fault: share > LARGEST_DIFFERENCE ? fault : undefined };
}

/** The scenarios, one after the other, on all servers; keyed by their names, each with its title. */
export async function measureScenarios(servers, scenarios, plan, machine, progress) {
  const measured = {};
  for (const scenario of scenarios) {
    progress(`  ${scenario.title}`);
    const contenders = servers.map((server) => ({ key: server.name, server, scenario }));
    measured[scenario.name] = {
      title: scenario.title,
      ...(await measureInterleaved(contenders, plan, machine)),
    };
  }
  return measured;
}
