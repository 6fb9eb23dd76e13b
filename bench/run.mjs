/**
 * Side-by-side benchmark: this service, hand-written Express, stock Nest with TypeORM.
 * Figures go to stdout, progress to stderr. Exit code 1 on any wrong answer or failure, 2 on wrong
 * usage; a missed target is reported and does not change the exit code.
 */
import { join } from 'node:path';
import { makeApiKey } from './lib/api-key.mjs';
import { describeEnvironment } from './lib/environment.mjs';
import { Fleet } from './lib/fleet.mjs';
import { measureForms } from './lib/forms.mjs';
import { serverKinds, serviceKinds } from './lib/kinds.mjs';
import { readPlan, USAGE } from './lib/plan.mjs';
import { writeMarkdown } from './lib/report.mjs';
import { measureInterleaved } from './lib/rounds.mjs';
import { comparedScenarios } from './lib/scenarios.mjs';
import { measureDepth, measureSize, measureStarts, SMALL_ROWS } from './lib/service-only.mjs';
import { judgeTargets } from './lib/targets.mjs';
import { verifyServer } from './lib/verify.mjs';

const ROOT = join(import.meta.dirname, '..');
const progress = (text) => process.stderr.write(`${text}\n`);

async function compare(servers, token, plan) {
  const compared = {};
  for (const scenario of comparedScenarios(token, plan.rows)) {
    progress(scenario.title);
    const contenders = servers.map((server) => ({ key: server.name, server, scenario }));
    compared[scenario.name] = { title: scenario.title, ...(await measureInterleaved(contenders, plan)) };
  }
  return compared;
}

async function runBenchmark(fleet, token, plan) {
  const begin = performance.now();
  const environment = describeEnvironment(ROOT, fleet.folder);
  const kinds = serverKinds(ROOT, fleet.folder);
  const { bare: service, watched, workers } = serviceKinds(ROOT);

  progress(`filling ${plan.rows} pets into each server`);
  const servers = [];
  for (const kind of kinds) servers.push(await fleet.startFilled(kind, plan.rows));
  for (const server of servers) await verifyServer(server, token);
  const compared = await compare(servers, token, plan);
  const rssBytes = Object.fromEntries(servers.map((server) => [server.name, server.rssBytes()]));
  await fleet.stopAll();

  progress('starts');
  const starts = await measureStarts(fleet, service, `${service.name}-${plan.rows}`, plan);
  progress('small and large tables');
  const small = await fleet.startFilled(service, SMALL_ROWS);
  const large = await fleet.startFilled(service, plan.largeRows);
  const depth = await measureDepth(large, token, plan);
  const size = await measureSize(small, large, token, plan);
  await fleet.stopAll();

  progress('limits, metrics and logs on, beside off');
  const watching = await measureForms(fleet, service, watched, token, plan);
  progress('two workers beside one process');
  const scaling = await measureForms(fleet, service, workers, token, plan);

  const result = { environment, plan, compared, depth, size, starts, rssBytes, watching, scaling };
  const seconds = (performance.now() - begin) / 1000;
  return { ...result, seconds, targets: judgeTargets(result) };
}

async function main() {
  let plan;
  try {
    plan = readPlan(process.argv.slice(2));
  } catch (error) {
    progress(`${error.message}\n${USAGE}`);
    return 2;
  }
  if (plan.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const token = makeApiKey();
  const fleet = new Fleet(ROOT, token);
  process.once('exit', () => fleet.dispose());
  try {
    const result = await runBenchmark(fleet, token, plan);
    process.stdout.write(plan.json ? `${JSON.stringify(result, null, 2)}\n` : writeMarkdown(result));
    return 0;
  } catch (error) {
    progress(`The benchmark failed: ${error.message}`);
    return 1;
  } finally {
    await fleet.stopAll();
  }
}

// Without these a signal would end the process without its exit handler and leave servers behind.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
process.exitCode = await main();
