import { CONNECTIONS } from './plan.mjs';
import { SMALL_ROWS } from './tables.mjs';
import { megabytes, ratio, spread, table } from './report-tables.mjs';

/** Load average above which something else was taking processor time from the servers. */
const QUIET_LOAD = 0.5;

/** The whole result as Markdown: the targets, then what they were judged by. */
export function writeMarkdown(result) {
  const { bare, duties, postgres } = result;
  return [
    environmentText(result),
    '### Targets',
    targetsTable(result.targets),
    ...comparisonTexts('On SQLite, bare', bare),
    ...comparisonTexts('On SQLite, limits, metrics and log on', duties),
    ...comparisonTexts(`On PostgreSQL ${postgres?.version ?? ''}, bare`, postgres),
    ...startTexts(result),
    ...tableTexts(result),
    ...overloadTexts(result),
    '',
  ].join('\n\n');
}

function environmentText({ environment, plan, seconds }) {
  const isQuiet = environment.loadAverage <= QUIET_LOAD;
  return [
    `- ${environment.machine}; ${environment.system}`,
    `- Node ${environment.node}, SQLite ${environment.sqlite}, ${environment.packages.join(', ')}`,
    `- load average before the run ${environment.loadAverage.toFixed(2)}${isQuiet ? '' : ' (**the machine was not quiet**)'}; ` +
      `a write of 4 KiB with fsync on this disk takes ${environment.fsyncMs.toFixed(2)} ms`,
    `- plan "${plan.name}": ${plan.rows.toLocaleString('en')} pets, ${CONNECTIONS} connections, ` +
      `${plan.rounds} interleaved rounds of ${plan.seconds} s after a warm-up of ` +
      `${plan.warmUpResponses.toLocaleString('en')} responses; ${Math.round(seconds)} s in all` +
      (plan.loadCore === undefined ? '' : `; the load on core ${plan.loadCore}, servers on the others`),
  ].join('\n');
}

function targetsTable(targets) {
  const told = { reached: 'reached', missed: '**missed**', 'not decided': 'not decided by this run' };
  return table(
    ['target', 'wanted', 'measured', ''],
    targets.map(({ name, target, measured, verdict }) => [name, target, measured, told[verdict]]),
  );
}

/** Processor time, rates and memory of the servers of one part; each ratio is the first server's over another's. */
function comparisonTexts(heading, comparison) {
  if (!comparison) return [];
  const { servers } = comparison;
  const [first, ...others] = servers;
  const scenarios = Object.values(comparison.scenarios);
  const titles = servers.map(({ title }) => title);
  const ratioTitles = others.map(({ title }) => `/ ${title}`);
  const ratios = (one, figure) => others.map(({ name }) => ratio(one[first.name][figure], one[name][figure]));
  const cpu = scenarios.map((one) => [
    one.title,
    ...servers.map(({ name }) => spread(one[name].cpuMicros, 1)),
    ...ratios(one, 'cpuMicros'),
  ]);
  const rates = scenarios.map((one) => [
    one.title,
    ...servers.map(({ name }) => `${spread(one[name].rate)}, p99 ${one[name].p99.median.toFixed(1)}`),
    ...ratios(one, 'rate'),
    busyShare(servers.map(({ name }) => one[name])),
  ]);
  const memory = servers.map(({ title, rssBytes }) => `${title} ${megabytes(rssBytes)}`);
  return [
    `### ${heading}`,
    'Processor time of the server, microseconds a response: median (lowest to highest round).',
    table(['scenario', ...titles, ...ratioTitles], cpu),
    'Responses a second, and the time that 99 % of them took at most, in milliseconds.',
    table(['scenario', ...titles, ...ratioTitles, 'generator busy'], rates),
    `Resident memory after the load: ${memory.join(', ')}.`,
  ];
}

function busyShare(figures) {
  const busiest = Math.max(...figures.map((one) => one.generatorBusy.median));
  return `${Math.round(busiest * 100)} %`;
}

function startTexts({ first, starts }) {
  const rows = Object.values(first ?? {}).map((one) => [
    `${one.title}, responses a second`,
    spread(one.first),
    spread(one.steady),
    ratio(one.first, one.steady),
  ]);
  const ready = starts && [
    ['this service, database with rows', `${spread(starts.service)} ms`],
    ['this service, new database', `${spread(starts.fresh)} ms`],
    ['Fastify, database with rows', `${spread(starts.fastify)} ms`],
  ];
  return [
    ...(first
      ? ['### First seconds after a start', table(['what', 'first 5 s', 'steady', 'ratio'], rows)]
      : []),
    ...(ready ? ['### Start to ready', table(['what', 'median (lowest to highest)'], ready)] : []),
  ];
}

function tableTexts({ tables, plan }) {
  if (!tables) return [];
  const { size, depth } = tables;
  const large = `${plan.largeRows.toLocaleString('en')} rows`;
  const small = `${SMALL_ROWS.toLocaleString('en')} rows`;
  const row = (what, { cpuMicros, rate }) => [what, spread(cpuMicros, 1), spread(rate)];
  const titles = { anew: 'list, each read anew', get: 'get by id' };
  return [
    '### Small and large tables',
    table(
      ['what', 'processor time, µs', 'responses a second'],
      [
        ...Object.entries(size).flatMap(([name, one]) => [
          row(`${titles[name]}, ${small}`, one.small),
          row(`${titles[name]}, ${large}`, one.large),
        ]),
        ...(depth ? [row(`first page of 20, ${large}`, depth.first)] : []),
        ...(depth ? [row(`10,000th page of 20, ${large}`, depth.deep)] : []),
      ],
    ),
  ];
}

function overloadTexts({ overload, plan }) {
  if (!overload) return [];
  const whole = (value) => Math.round(value).toLocaleString('en');
  return [
    '### More than can be done',
    `An open loop for ${plan.overloadSeconds} s; clients give up after 2 s. Capacity is that of a closed loop on kept connections. Times in ` +
      'milliseconds, processor time in microseconds a response.',
    ...Object.entries(overload).flatMap(([engine, loads]) =>
      loads.map(({ title, times, servers }) =>
        table(
          [
            `${title}, ${times} x capacity, ${engine}`,
            'capacity, 1/s',
            'within 1 s, 1/s',
            'by processor time',
            'p99 of 200',
            '503, 429',
            'other status',
            'without a response',
            'of the modest in time',
            'longest probe',
            'on the management port',
            'normal after',
          ],
          servers.map((one) => [
            one.title,
            whole(one.capacity),
            `${whole(one.goodput)} (${Math.round((one.goodput / one.capacity) * 100)} %)`,
            `${Math.round(one.yield * 100)} %`,
            one.p99 === null ? '' : whole(one.p99),
            `${Math.round((one.refused / one.sent) * 100)} %`,
            `${Math.round((one.failed / one.sent) * 100)} %`,
            `${Math.round((one.gaveUp / one.sent) * 100)} %`,
            one.modest === undefined ? '' : `${Math.round(one.modest * 100)} %`,
            whole(one.probeMs),
            one.managementMs === undefined ? '' : whole(one.managementMs),
            one.recoveryMs === undefined ? 'not within 30 s' : whole(one.recoveryMs),
          ]),
        ),
      ),
    ),
  ];
}
