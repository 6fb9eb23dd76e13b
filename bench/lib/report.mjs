import { CONNECTIONS } from './plan.mjs';
import { SMALL_ROWS } from './service-only.mjs';

/** Load average above which something else was taking processor time from the servers. */
const QUIET_LOAD = 0.5;

const TITLES = { service: 'this service', express: 'Express', nest: 'stock Nest' };

/** The whole result as Markdown. */
export function writeMarkdown(result) {
  return [
    environmentText(result),
    '### Side by side',
    '',
    'Answers per second: median (lowest to highest round). p99 in milliseconds.',
    '',
    comparedTable(result.compared),
    '',
    ...cpuText(result.compared),
    '### The service alone',
    '',
    aloneTable(result),
    '',
    '### Limits, metrics and logs on, beside off',
    '',
    formsTable(result.watching, ['off', 'on']),
    '',
    '### Two workers beside one process',
    '',
    formsTable(result.scaling, ['one process', 'two workers']),
    '',
    '### Targets',
    '',
    targetsTable(result.targets),
    '',
  ].join('\n');
}

function environmentText({ environment, plan, seconds }) {
  return [
    `- ${environment.machine}; ${environment.system}`,
    `- Node ${environment.node}, SQLite ${environment.sqlite}, ${environment.packages.join(', ')}`,
    `- load average before the run ${environment.loadAverage.toFixed(2)}` +
      `${environment.loadAverage > QUIET_LOAD ? ' (**the machine was not quiet**)' : ''}; ` +
      `a write of 4 KiB with fsync on this disk takes ${environment.fsyncMs.toFixed(2)} ms`,
    `- plan "${plan.name}": ${plan.rows.toLocaleString('en')} pets, ${CONNECTIONS} connections, ` +
      `${plan.rounds} interleaved rounds of ${plan.seconds} s after ${plan.warmUpSeconds} s of warm-up; ` +
      `${Math.round(seconds)} s in all`,
    '',
  ].join('\n');
}

function comparedTable(compared) {
  const rows = Object.values(compared).map(({ title, ...servers }) => {
    const { service, express, nest } = servers;
    const busy = Math.max(...Object.values(servers).map((one) => one.generatorBusy.median));
    return [
      title,
      ...[service, express, nest].map((one) => `${spread(one.rate)}, p99 ${one.p99.median}`),
      ratio(service, express),
      ratio(service, nest),
      `${Math.round(busy * 100)} %`,
    ];
  });
  const names = Object.values(TITLES);
  return table(['scenario', ...names, '/ Express', '/ stock Nest', 'generator busy'], rows);
}

function cpuText(compared) {
  const scenarios = Object.values(compared);
  if (scenarios.some(({ service }) => Number.isNaN(service.cpuMicros.median))) return [];
  const rows = scenarios.map(({ title, service, express, nest }) => [
    title,
    ...[service, express, nest].map((one) => spread(one.cpuMicros)),
    (service.cpuMicros.median / express.cpuMicros.median).toFixed(2),
    (service.cpuMicros.median / nest.cpuMicros.median).toFixed(2),
  ]);
  return [
    'Processor time of the server, microseconds an answer; lower is better. Other work on the machine disturbs it less',
    'than it does answers per second.',
    '',
    table(['scenario', ...Object.values(TITLES), '/ Express', '/ stock Nest'], rows),
    '',
  ];
}

function aloneTable({ depth, size, starts, rssBytes, plan }) {
  const large = plan.largeRows.toLocaleString('en');
  const small = SMALL_ROWS.toLocaleString('en');
  const rows = [
    [`first page of 20, ${large} rows`, `${spread(depth.first.rate)} /s`],
    [`10,000th page of 20, ${large} rows`, `${spread(depth.deep.rate)} /s`],
    ...['list', 'get'].flatMap((name) => [
      [`${name}, ${small} rows`, `${spread(size[name].small.rate)} /s`],
      [`${name}, ${large} rows`, `${spread(size[name].large.rate)} /s`],
    ]),
    ['start to ready, existing database', `${spread(starts.existing)} ms`],
    ['start to ready, new database', `${spread(starts.fresh)} ms`],
    ...Object.entries(rssBytes).map(([name, bytes]) => [
      `resident memory after the load, ${TITLES[name]}`,
      `${Math.round(bytes / 1e6)} MB`,
    ]),
  ];
  return table(['what', 'median (lowest to highest)'], rows);
}

/** Two forms of the service beside each other; the processor time is that of all its processes. */
function formsTable({ scenarios, rssBytes }, [base, other]) {
  const rows = Object.values(scenarios).map((one) => [
    one.title,
    spread(one.base.rate),
    spread(one.other.rate),
    (one.other.rate.median / one.base.rate.median).toFixed(2),
    spread(one.base.cpuMicros),
    spread(one.other.cpuMicros),
  ]);
  const megabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`;
  return table(
    ['scenario', `${base}, /s`, `${other}, /s`, 'ratio', `${base}, CPU µs`, `${other}, CPU µs`],
    [...rows, ['resident memory', megabytes(rssBytes.base), megabytes(rssBytes.other), '', '', '']],
  );
}

function targetsTable(targets) {
  return table(
    ['target', 'wanted', 'measured', ''],
    targets.map(({ name, target, measured, reached }) => [
      name,
      target,
      measured,
      reached ? 'reached' : '**not reached**',
    ]),
  );
}

function spread({ median, min, max }) {
  const [middle, low, high] = [median, min, max].map((value) => Math.round(value).toLocaleString('en'));
  return `${middle} (${low} to ${high})`;
}

function ratio(service, peer) {
  return (service.rate.median / peer.rate.median).toFixed(2);
}

function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
