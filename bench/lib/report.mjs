import { CONNECTIONS } from './plan.mjs';
import { TIMES } from './processes.mjs';
import { SMALL_ROWS } from './tables.mjs';
import { judgeTargets } from './targets.mjs';
import { megabytes, ratio, spread, table } from './report-tables.mjs';

/** The heading of each part, and its text after what was measured. */
const PARTS = {
  bare: { heading: 'On SQLite, bare', textsOf: ({ bare }) => comparisonTexts(bare) },
  duties: {
    heading: 'On SQLite, limits, metrics and log on',
    textsOf: ({ duties }) => comparisonTexts(duties),
  },
  postgres: { heading: 'On PostgreSQL, bare', textsOf: ({ postgres }) => comparisonTexts(postgres) },
  first: { heading: 'First seconds after a start', textsOf: firstTexts },
  starts: { heading: 'Start to ready', textsOf: startTexts },
  tables: { heading: 'Small and large tables', textsOf: tableTexts },
  entrance: { heading: 'Through the balancer', textsOf: entranceTexts },
  processes: { heading: 'One, two and four processes', textsOf: processesTexts },
  operators: { heading: 'Beside operators', textsOf: operatorsTexts },
  overload: { heading: 'More than can be done', textsOf: overloadTexts },
};

/** The whole result as Markdown: each part with its targets, and what they were judged by. */
export function writeMarkdown(result) {
  const measured = Object.keys(PARTS).filter((part) => result[part]);
  return [
    environmentFacts(result)
      .map((fact) => `- ${fact}`)
      .join('\n'),
    ...measured.flatMap((part) => [`### ${PARTS[part].heading}`, ...textsOf(part, result)]),
    '',
  ].join('\n\n');
}

/** What a page says of one part: where and how it was measured, too. */
export function writePart(part, result) {
  return [`${environmentFacts(result).join('. ')}.`, ...textsOf(part, result)].join('\n\n');
}

function textsOf(part, result) {
  const targets = judgeTargets({ [part]: result[part] });
  return [...PARTS[part].textsOf(result), ...(targets.length > 0 ? [targetsTable(targets)] : [])];
}

function environmentFacts({ environment, plan, quiet }) {
  return [
    `${environment.machine}; ${environment.system}`,
    `Node ${environment.node}, SQLite ${environment.sqlite}, ${environment.packages.join(', ')}`,
    `A write of 4 KiB with fsync on this disk takes ${environment.fsyncMs.toFixed(2)} ms`,
    `Plan "${plan.name}": ${plan.rows.toLocaleString('en')} pets, ${CONNECTIONS} connections, ` +
      `${plan.rounds} interleaved rounds of ${plan.seconds} s after a warm-up of ` +
      `${plan.warmUpResponses.toLocaleString('en')} responses` +
      (plan.loadCore === undefined ? '' : `; the load on core ${plan.loadCore}, servers on the others`),
    `${quiet.rounds} rounds in the run, ${quiet.again} others made again because the machine was not quiet, ` +
      (quiet.faults.length === 0
        ? 'none kept that was not'
        : `**and ${quiet.faults.length} faults in those kept**`),
  ];
}

function targetsTable(targets) {
  const told = { reached: 'reached', missed: '**missed**', 'not decided': 'not decided by this run' };
  return table(
    ['target', 'wanted', 'measured', ''],
    targets.map(({ name, target, measured, verdict }) => [name, target, measured, told[verdict]]),
  );
}

/** Processor time, rates and memory of the servers of one part; each ratio is the first server's over another's. */
function comparisonTexts(comparison) {
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
    ...(comparison.version ? [`PostgreSQL ${comparison.version}.`] : []),
    'Processor time of the server, microseconds a response: median (lowest to highest round). Ratios are those of paired rounds.',
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

function firstTexts({ first }) {
  const rows = Object.values(first).map((one) => [
    `${one.title}, responses a second`,
    spread(one.first),
    spread(one.steady),
    ratio(one.first, one.steady),
  ]);
  return [table(['what', 'first 5 s', 'steady', 'ratio'], rows)];
}

function startTexts({ starts }) {
  const ready = [
    ['this service, database with rows', `${spread(starts.service)} ms`],
    ['this service, new database', `${spread(starts.fresh)} ms`],
    ['Fastify, database with rows', `${spread(starts.fastify)} ms`],
  ];
  return [table(['what', 'median (lowest to highest)'], ready)];
}

function tableTexts({ tables, plan }) {
  const { size, depth } = tables;
  const large = `${plan.largeRows.toLocaleString('en')} rows`;
  const small = `${SMALL_ROWS.toLocaleString('en')} rows`;
  const row = (what, { cpuMicros, rate }) => [what, spread(cpuMicros, 1), spread(rate)];
  const titles = { anew: 'list, each read anew', get: 'get by id' };
  const rows = [
    ...Object.entries(size).flatMap(([name, one]) => [
      row(`${titles[name]}, ${small}`, one.small),
      row(`${titles[name]}, ${large}`, one.large),
    ]),
    ...(depth ? [row(`first page of 20, ${large}`, depth.first)] : []),
    ...(depth ? [row(`10,000th page of 20, ${large}`, depth.deep)] : []),
  ];
  return [table(['what', 'processor time, µs', 'responses a second'], rows)];
}

function operatorsTexts({ operators: { rows, rssBytes, works } }) {
  const figures = Object.values(works).map(({ title, p50, p99, longest, seconds, cpuSeconds }) => [
    title,
    ...[p50, p99, longest].map((one) => spread(one, 1)),
    spread(seconds, 1),
    spread(cpuSeconds, 1),
  ]);
  return [
    `${rows.toLocaleString('en')} pets. Waits of gets in milliseconds, and what the service worked meanwhile: median (lowest to highest round).`,
    table(['gets beside', 'median', 'p99', 'longest', 'seconds', 'seconds of the processor'], figures),
    `Resident memory: ${megabytes(rssBytes.before)} before, ${megabytes(rssBytes.after)} after.`,
  ];
}

function overloadTexts({ overload, plan }) {
  const whole = (value) => Math.round(value).toLocaleString('en');
  return [
    `An open loop for ${plan.overloadSeconds} s; clients give up after 2 s. Capacity is that of a closed loop on kept connections, without the balancer. Times in ` +
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

function entranceTexts({ entrance }) {
  const figures = (one) => `${spread(one.rate)}, p99 ${one.p99.median.toFixed(1)}`;
  return [
    'Responses a second of a closed loop, and the time that 99 % of them took at most, in milliseconds.',
    ...Object.entries(entrance).map(([engine, rows]) =>
      table(
        [`${engine}, processes`, 'scenario', 'connections', 'without', 'through the balancer', 'share'],
        rows.map(({ processes, title, connections, direct, behind }) => [
          processes,
          title,
          connections,
          figures(direct),
          figures(behind),
          ratio(behind.rate, direct.rate),
        ]),
      ),
    ),
  ];
}

function processesTexts({ processes }) {
  const whole = (value) => Math.round(value).toLocaleString('en');
  return [
    'Capacity: responses a second of a closed loop without the balancer. Then those of an open loop through it, within a second, ' +
      'and their share of the capacity. Live: the longest of probes on the management port, in milliseconds.',
    ...Object.entries(processes).map(([engine, rows]) =>
      table(
        [
          `${engine}, processes`,
          'load',
          'capacity',
          ...TIMES.map((times) => `${times} x capacity asked for`),
          'live',
          'memory',
        ],
        rows.map(({ processes: count, title, capacity, loads, rssBytes }) => [
          count,
          title,
          whole(capacity),
          ...loads.map(({ right }) => `${whole(right)} (${(right / capacity).toFixed(2)})`),
          whole(Math.max(...loads.map(({ liveMs }) => liveMs))),
          megabytes(rssBytes),
        ]),
      ),
    ),
  ];
}
