import { parseArgs } from 'node:util';

export const CONNECTIONS = 32;

/** How much is measured: seconds per round and warm-up, number of rounds, rows, starts. */
const PLANS = {
  full: { rounds: 5, seconds: 1.6, warmUpSeconds: 2, rows: 100_000, largeRows: 1_000_000, starts: 5 },
  quick: { rounds: 2, seconds: 0.4, warmUpSeconds: 0.4, rows: 100_000, largeRows: 250_000, starts: 2 },
};

export const USAGE = `usage: npm run bench -- [--quick] [--json]
  --quick  a rough picture in under a minute (large table of 250,000 rows)
  --json   print every figure as JSON instead of Markdown tables`;

/** Reads the command line. Throws the parser's TypeError on an unknown option. */
export function readPlan(argv) {
  const { values } = parseArgs({
    args: argv,
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const name = values.quick ? 'quick' : 'full';
  return { name, json: values.json, help: values.help, ...PLANS[name] };
}
