import { parseArgs } from 'node:util';

export const CONNECTIONS = 32;

const SCENARIOS = ['get', 'anew', 'list', 'refused', 'malformed', 'create', 'mixed'];

/** What a full run measures, and what is measured only when it is named. */
const FULL_PARTS = ['bare', 'duties', 'postgres', 'first', 'starts', 'tables'];
const PARTS = [...FULL_PARTS, 'overload', 'entrance', 'processes', 'operators'];

const WARM_UP_RESPONSES = 20_000;
const OVERLOAD_SECONDS = 20;

/**
 * How much is measured: rounds and their seconds, rows, starts, looks at the first seconds after a start, how long rounds of a part
 * may be made again, whether the peers that no target speaks of are there, too, and the parts of a run that names none.
 */
const PLANS = {
  full: {
    rounds: 5,
    seconds: 1.2,
    rows: 100_000,
    largeRows: 1_000_000,
    starts: 5,
    firsts: 3,
    spareSecondsOfPart: 60,
    context: true,
    parts: FULL_PARTS,
  },
  quick: {
    rounds: 3,
    seconds: 0.5,
    rows: 100_000,
    largeRows: 250_000,
    starts: 2,
    firsts: 2,
    spareSecondsOfPart: 0,
    context: false,
    parts: ['bare', 'duties', 'postgres', 'starts'],
  },
};

export const USAGE = `usage: npm run bench -- [<name>...] [--quick] [--only <name>,...] [--seconds <number>] [--load <text>] [--server <text>] [--engine <name>] [--load-core <number>] [--postgres <url>] [--json] [--write]
  --quick     a rough picture in about two minutes: shorter rounds, no Express, no stock Nest, and of the
              parts ${PLANS.quick.parts.join(', ')}, unless others are named
  --only      measure these parts and scenarios only, as do names without it
              parts: ${PARTS.join(', ')}; overload, entrance, processes and operators are in no run that does not name them
              scenarios: ${SCENARIOS.join(', ')}
  --seconds   how long a load of the part overload lasts, ${OVERLOAD_SECONDS} unless told
  --load      only the loads of the part overload that have this in their titles
  --server    only the servers of the part overload that have this in their titles
  --engine    sqlite or postgres: the parts overload, entrance and processes on this one alone
  --load-core what sends the load runs on this core, servers on the others (needs taskset)
  --postgres  a PostgreSQL server to make databases on; without it, the bench starts one
  --json      print every figure as JSON instead of Markdown tables
  --write     also write the figures of these parts into the pages, unless the machine was not quiet`;

/** Reads the command line. Throws an Error that says what is wrong with it. */
export function readPlan(argv) {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      seconds: { type: 'string', default: String(OVERLOAD_SECONDS) },
      load: { type: 'string', default: '' },
      server: { type: 'string', default: '' },
      engine: { type: 'string' },
      'load-core': { type: 'string' },
      postgres: { type: 'string' },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { quick, only, seconds, 'load-core': loadCore, ...rest } = values;
  const name = quick ? 'quick' : 'full';
  const names = [...only.split(',').filter(Boolean), ...positionals];
  const unknown = names.find((one) => !PARTS.includes(one) && !SCENARIOS.includes(one));
  if (unknown !== undefined) throw new Error(`There is neither a part nor a scenario called "${unknown}".`);
  const parts = chosen(PARTS, names, PLANS[name].parts);
  const scenarios = chosen(SCENARIOS, names, SCENARIOS);
  if (
    rest.write &&
    (quick || rest.engine || scenarios.length < SCENARIOS.length || parts.includes('overload'))
  )
    throw new Error(
      '--write needs whole parts that are measured beside the machine: no scenario, no --quick, no --engine, no overload.',
    );
  const overloadSeconds = Number(seconds);
  if (![undefined, 'sqlite', 'postgres'].includes(rest.engine))
    throw new Error('--engine takes sqlite or postgres.');
  if (!(overloadSeconds >= 1)) throw new Error('--seconds takes a number from 1.');
  return {
    name,
    ...rest,
    loadCore: loadCore === undefined ? undefined : Number(loadCore),
    overloadSeconds,
    warmUpResponses: WARM_UP_RESPONSES,
    ...PLANS[name],
    parts,
    scenarios,
    spareSeconds: PLANS[name].spareSecondsOfPart * parts.length,
  };
}

/** Those of `all` that are named, or `others` when none is. */
function chosen(all, names, others) {
  return names.some((name) => all.includes(name)) ? all.filter((one) => names.includes(one)) : others;
}
