/**
 * Side-by-side benchmark: this service beside Fastify by hand, on SQLite and on PostgreSQL, with and without an operator's
 * duties; hand-written Express and stock Nest for context.
 * Figures go to stdout, progress to stderr. Exit code 1 on any wrong response or failure, 2 on wrong
 * usage, 3 when figures that were to be written are not, since the machine was not quiet; a missed target is reported and does
 * not change the exit code.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeApiKey } from './lib/api-key.mjs';
import { measureComparison } from './lib/comparisons.mjs';
import { keepLoadOn, onServerCores } from './lib/cores.mjs';
import { measureEntrance } from './lib/entrance.mjs';
import { describeEnvironment } from './lib/environment.mjs';
import { Fleet } from './lib/fleet.mjs';
import { serverKinds } from './lib/kinds.mjs';
import { readPlan, USAGE } from './lib/plan.mjs';
import { Machine } from './lib/machine.mjs';
import { measureOverload } from './lib/overload.mjs';
import { measureOperators } from './lib/operators.mjs';
import { PostgresDatabases } from './lib/postgres-databases.mjs';
import { measureProcesses } from './lib/processes.mjs';
import { writeMarkdown } from './lib/report.mjs';
import { SqliteDatabases } from './lib/sqlite-databases.mjs';
import { measureFirstSeconds, measureStarts } from './lib/starts.mjs';
import { measureTables } from './lib/tables.mjs';
import { keepFigures } from './pages.mjs';

const ROOT = join(import.meta.dirname, '..');
const progress = (text) => process.stderr.write(`${text}\n`);

/** Measures the parts of the plan, one after the other; a part that was not asked for is absent from the result. */
async function runBenchmark(folder, sqlite, token, plan, machine) {
  const begin = performance.now();
  const environment = describeEnvironment(ROOT, folder);
  const kinds = serverKinds(ROOT, folder);
  const onBoth = async (onSqlite, onOther) => {
    const measured = {};
    if (plan.engine !== 'postgres') measured.SQLite = await onSqlite();
    if (plan.engine !== 'sqlite') {
      const other = await onPostgres(folder, token, plan, async (fleet) => ({ rows: await onOther(fleet) }));
      measured[`PostgreSQL ${other.version}`] = other.rows;
    }
    return measured;
  };
  const compare = (part, fleet = sqlite) =>
    measureComparison(part, fleet, kinds, token, plan, machine, progress);
  const measure = {
    bare: () => compare('bare'),
    duties: () => compare('duties'),
    postgres: () => onPostgres(folder, token, plan, (fleet) => compare('postgres', fleet)),
    first: () => measureFirstSeconds(sqlite, kinds, token, plan, machine),
    starts: () => measureStarts(sqlite, kinds, plan, machine),
    tables: () => measureTables(sqlite, kinds.service, token, plan, machine),
    operators: () => measureOperators(folder, kinds.service, token, machine, progress),
    overload: async () => {
      const { service, fastify, fastifyPressure, nest } = kinds;
      const serviceDuties = { ...kinds.serviceDuties, title: 'this service with duties' };
      const behind = {
        ...service,
        name: 'service-balanced',
        title: 'this service behind HAProxy',
        processes: 1,
      };
      const three = {
        ...behind,
        name: 'service-three',
        title: 'three processes behind HAProxy',
        processes: 3,
      };
      const own = [service, behind, three, serviceDuties, fastify, fastifyPressure];
      const run = (fleet, ...chosen) =>
        measureOverload(
          fleet,
          chosen.filter(({ title }) => title.includes(plan.server)),
          token,
          plan,
          progress,
        );
      return onBoth(
        () => run(sqlite, ...own, nest),
        (fleet) => run(fleet, ...own),
      );
    },
    entrance: () => {
      const measureOn = (fleet) => measureEntrance(fleet, kinds.service, token, plan, machine, progress);
      return onBoth(() => measureOn(sqlite), measureOn);
    },
    processes: () => {
      const measureOn = (fleet) => measureProcesses(fleet, kinds.service, token, plan, machine, progress);
      return onBoth(() => measureOn(sqlite), measureOn);
    },
  };
  const parts = {};
  for (const part of plan.parts) {
    progress(part);
    parts[part] = await measure[part]();
  }
  const seconds = (performance.now() - begin) / 1000;
  // Its address may hold a password.
  const { postgres: _, ...toldPlan } = plan;
  return { environment, plan: toldPlan, ...parts, seconds, quiet: machine.summary() };
}

async function onPostgres(folder, token, plan, measure) {
  const databases = await onServerCores(() => PostgresDatabases.open(plan.postgres, ROOT, folder));
  const fleet = new Fleet(databases, folder, token);
  try {
    return { version: await databases.version(), ...(await measure(fleet)) };
  } finally {
    await fleet.stopAll();
    await databases.close();
  }
}

/** Writes the figures into the pages, unless something else ran beside them. */
async function writePages(result) {
  const { faults } = result.quiet;
  if (faults.length === 0) {
    await keepFigures(result);
    return 0;
  }
  progress(
    `Nothing was written: the machine was not quiet.\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
  );
  return 3;
}

/** In the project's ignored `data/`, on the disk a deployment would use; the system's temporary files may be memory. */
function makeFolder() {
  mkdirSync(join(ROOT, 'data'), { recursive: true });
  return mkdtempSync(join(ROOT, 'data', 'bench-'));
}

async function main() {
  let plan;
  try {
    plan = readPlan(process.argv.slice(2));
    if (plan.loadCore !== undefined) keepLoadOn(plan.loadCore);
  } catch (error) {
    progress(`${error.message}\n${USAGE}`);
    return 2;
  }
  if (plan.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const folder = makeFolder();
  const token = makeApiKey();
  const fleet = new Fleet(new SqliteDatabases(folder), folder, token);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  try {
    const result = await runBenchmark(folder, fleet, token, plan, new Machine(plan.spareSeconds, progress));
    process.stdout.write(plan.json ? `${JSON.stringify(result, null, 2)}\n` : writeMarkdown(result));
    return plan.write ? await writePages(result) : 0;
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
