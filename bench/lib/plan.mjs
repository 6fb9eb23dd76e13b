import { parseArgs } from 'node:util';

export const CONNECTIONS = 32;

export const SCENARIOS = ['get', 'anew', 'list', 'refused', 'malformed', 'create', 'mixed'];

/** What can be measured by itself. */
export const PARTS = ['bare', 'duties', 'postgres', 'first', 'starts', 'tables', 'workers'];

/**
 * How much is measured: rounds and their seconds, responses of a warm-up, rows, starts, looks at the first seconds
 * after a start, and whether the servers and parts that no target speaks of are measured, too.
 */
const PLANS = {
  full: { rounds: 5, seconds: 1.2, rows: 100_000, largeRows: 1_000_000, starts: 5, firsts: 3, context: true },
  quick: { rounds: 3, seconds: 0.5, rows: 100_000, largeRows: 250_000, starts: 2, firsts: 1, context: false },
};
const WARM_UP_RESPONSES = 20_000;

export const USAGE = `usage: npm run bench -- [--quick] [--only <name>,...] [--postgres <url>] [--json]
  --quick     a rough picture in about two minutes: shorter rounds, no Express, no stock Nest, no workers
  --only      measure these parts and scenarios only
              parts: ${PARTS.join(', ')}
              scenarios: ${SCENARIOS.join(', ')}
  --postgres  a PostgreSQL server to make databases on; without it, the bench starts one
  --json      print every figure as JSON instead of Markdown tables`;

/** Reads the command line. Throws an Error that says what is wrong with it. */
export function readPlan(argv) {
  const { values } = parseArgs({
    args: argv,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      postgres: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const name = values.quick ? 'quick' : 'full';
  const { json, help, postgres } = values;
  return {
    name,
    json,
    help,
    postgres,
    warmUpResponses: WARM_UP_RESPONSES,
    ...PLANS[name],
    ...readOnly(values.only),
  };
}

function readOnly(only) {
  const names = only.split(',').filter(Boolean);
  const unknown = names.find((name) => !PARTS.includes(name) && !SCENARIOS.includes(name));
  if (unknown !== undefined) throw new Error(`There is neither a part nor a scenario called "${unknown}".`);
  const among = (all) =>
    names.some((name) => all.includes(name)) ? all.filter((one) => names.includes(one)) : all;
  return { parts: among(PARTS), scenarios: among(SCENARIOS) };
}
