import { pairedRatios } from './statistics.mjs';

const RESIDENT_LIMIT_BYTES = 160e6;

/** Of the rounds, the share whose own ratios have to stand on the side of the limit where their median stands. */
const AGREEING_ROUNDS = 0.8;

/** At most so many times the processor time a response of the other. */
const BARE = { get: 1.25, anew: 1, list: 0.5, refused: 0.8, malformed: 0.8, create: 0.6, mixed: 1 };
const DUTIES = { anew: 1, get: 0.8, create: 0.4, mixed: 0.8 };
const POSTGRES = { list: 1.2, get: 1.2, create: 1.2, mixed: 1.2 };
const TABLES_LIMIT = 1.1;
const FIRST_SECONDS_LIMIT = 0.7;
const START_LIMIT = 3;
const UNDO_LIMIT = 2;
const BESIDE_LIMIT = 2;

/**
 * The service's targets against what was measured: list of `{name, target, measured, verdict}` with the verdict
 * `reached`, `missed` or `not decided`. A target whose part was not measured is absent.
 */
export function judgeTargets({ bare, duties, postgres, first, starts, tables, operators }) {
  return [
    ...overPeer(bare, BARE, 'service', 'fastify', 'bare, over Fastify'),
    ...overPeer(
      duties,
      DUTIES,
      'service-duties',
      'fastify-duties',
      'limits, metrics and log on, over Fastify with duties',
    ),
    ...overPeer(postgres, POSTGRES, 'service', 'fastify', 'PostgreSQL, bare, over Fastify'),
    ...Object.values(first ?? {}).map(({ title, ...rates }) =>
      atLeast(
        `${title}: rate in the first 5 s after a start, over steady`,
        rates.first,
        rates.steady,
        FIRST_SECONDS_LIMIT,
      ),
    ),
    ...(starts
      ? [atMost('ready after start, over Fastify', starts.service, starts.fastify, START_LIMIT)]
      : []),
    ...(duties ? [resident(duties)] : []),
    ...tableTargets(tables),
    ...operatorTargets(operators),
  ];
}

function overPeer(comparison, limits, service, peer, what) {
  return Object.entries(comparison?.scenarios ?? {})
    .filter(([name]) => name in limits)
    .map(([name, one]) => {
      const [ours, theirs] = [one[service].cpuMicros, one[peer].cpuMicros];
      return atMost(`${one.title}: ${what}`, ours, theirs, limits[name]);
    });
}

function operatorTargets(operators) {
  if (!operators) return [];
  const { alone, ...works } = operators.works;
  return [
    atMost('undo of an import, over the import: time', works.undo.seconds, works.import.seconds, UNDO_LIMIT),
    ...Object.values(works).map(({ title, p50 }) =>
      atMost(`gets beside ${title}: median, over alone`, p50, alone.p50, BESIDE_LIMIT),
    ),
  ];
}

function tableTargets(tables) {
  if (!tables) return [];
  const { size, depth } = tables;
  const rows = { anew: 'list, each read anew', get: 'get by id' };
  return [
    ...Object.entries(size).map(([name, { small, large }]) =>
      atMost(`${rows[name]}: large table, over 1,000 rows`, large.cpuMicros, small.cpuMicros, TABLES_LIMIT),
    ),
    ...(depth
      ? [atMost('10,000th page, over the first', depth.deep.cpuMicros, depth.first.cpuMicros, TABLES_LIMIT)]
      : []),
  ];
}

const atMost = (name, ours, theirs, limit) =>
  judge(name, `at most ${limit}`, ours, theirs, (ratio) => ratio <= limit);
const atLeast = (name, ours, theirs, limit) =>
  judge(name, `at least ${limit}`, ours, theirs, (ratio) => ratio >= limit);

/** Judges the median of the ratios of the rounds, which were interleaved; one alone decides nothing. */
function judge(name, target, ours, theirs, isReached) {
  const { median: ratio, values } = pairedRatios(ours, theirs);
  const agreeing = values.filter((value) => isReached(value) === isReached(ratio));
  const rounds = values.length;
  const isDecided = Number.isFinite(ratio) && rounds > 1 && agreeing.length >= rounds * AGREEING_ROUNDS;
  const verdict = isReached(ratio) ? 'reached' : 'missed';
  return { name, target, measured: ratio.toFixed(2), verdict: isDecided ? verdict : 'not decided' };
}

function resident({ servers }) {
  const { rssBytes } = servers.find(({ name }) => name === 'service-duties');
  return {
    name: 'resident memory after the load, limits, metrics and log on',
    target: `at most ${RESIDENT_LIMIT_BYTES / 1e6} MB`,
    measured: `${Math.round(rssBytes / 1e6)} MB`,
    verdict: rssBytes <= RESIDENT_LIMIT_BYTES ? 'reached' : 'missed',
  };
}
