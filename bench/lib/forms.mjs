import { comparedScenarios } from './scenarios.mjs';
import { measureInterleaved } from './rounds.mjs';

/** What the forms of the service are put through. */
const NAMES = ['list', 'anew', 'get', 'create', 'mixed'];

/**
 * Two forms of the service on the same rows, interleaved.
 *
 * @returns `{scenarios: {[name]: {title, base, other}}, rssBytes: {base, other}}`
 */
export async function measureForms(fleet, base, other, token, plan) {
  const start = (kind) =>
    fleet.startFilled(kind, plan.rows, `${kind.name}-of-${base.name}-and-${other.name}`);
  const servers = { base: await start(base), other: await start(other) };
  const scenarios = {};
  for (const scenario of comparedScenarios(token, plan.rows)) {
    if (!NAMES.includes(scenario.name)) continue;
    const contenders = Object.entries(servers).map(([key, server]) => ({ key, server, scenario }));
    scenarios[scenario.name] = { title: scenario.title, ...(await measureInterleaved(contenders, plan)) };
  }
  const rssBytes = { base: servers.base.rssBytes(), other: servers.other.rssBytes() };
  await fleet.stopAll();
  return { scenarios, rssBytes };
}
