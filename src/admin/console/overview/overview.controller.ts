import { Get } from '@nestjs/common';
import type { KeyWarning } from '../../../auth/dto/key-warning';
import { packageVersion } from '../../../platform/package-version';
import { inWords } from '../../records/record-fields';
import { listPath } from '../records/record-paths';
import { sparkline } from '../charts/line-chart';
import { duration, exact, milliseconds, percent, rate } from '../charts/number-text';
import { ConsoleController } from '../console-controller.decorator';
import { warningText } from '../keys/key-words';
import { type Page, page } from '../page';
import type { Tone as BadgeTone } from '../ui/text';
import { CurrentVisit, type Visit } from '../visit';
import { addedChart, latencyChart, requestsChart, valuesChart } from './overview-charts';
import {
  type KeysToLookAt,
  MAX_COUNTED_KEYS,
  type Overview,
  OverviewService,
  type Traffic,
} from './overview.service';
import { RANGES, type Range, rangeNamed } from './ranges';
import { NodesSummary } from './nodes-summary';

/** Most operations that are named here; their own page has them all. */
const SHOWN = 5;

/** A key that expires in fewer days stands out. */
const SOON_DAYS = 7;

/** How the service is doing. */
@ConsoleController('overview')
export class OverviewController {
  constructor(private readonly overview: OverviewService) {}

  @Get()
  async show(@CurrentVisit() visit: Visit): Promise<Page> {
    const range = rangeNamed(visit.query.get('range'));
    const overview = await this.overview.read(range);
    const { keys, deprecations, health, nodes } = overview;
    return page('/overview/overview', {
      title: 'Overview',
      data: {
        range,
        ranges: RANGES.map(({ name, label }) => ({
          label,
          path: visit.addressWith({ range: name }),
          isCurrent: name === range.name,
        })),
        tiles: tilesOf(overview),
        traffic: overview.traffic.value ? trafficOf(overview.traffic.value, range) : overview.traffic,
        records: overview.records.map(recordsOf),
        keys: keys.value ? keysOf(keys.value) : keys,
        deprecations: deprecations.value ? { first: deprecations.value.slice(0, SHOWN) } : deprecations,
        health: health.value ?? health,
        nodes: nodes.value ? new NodesSummary(nodes.value) : nodes,
        build: {
          version: packageVersion(),
          node: process.version,
          uptime: duration(process.uptime() * 1_000),
        },
        now: new Date(),
      },
    });
  }
}

function trafficOf({ points, isTimed }: Traffic, range: Range) {
  const isEmpty = points.every(({ requests }) => requests === 0);
  if (isEmpty) return { isEmpty, isTimed };
  return { isEmpty, isTimed, requests: requestsChart(points, range), latency: latencyChart(points, range) };
}

function keysOf({ first, count }: KeysToLookAt) {
  const more = count - first.length;
  return {
    first: first.map(({ key, warnings }) => ({
      key,
      badges: warnings.map((warning) => ({ text: warningText(warning), tone: toneOf(warning) })),
    })),
    more:
      count > MAX_COUNTED_KEYS ? `more than ${exact(MAX_COUNTED_KEYS)}` : more > 0 ? exact(more) : undefined,
  };
}

function toneOf({ kind, days }: KeyWarning): BadgeTone {
  if (kind !== 'expiring') return 'neutral';
  return days < SOON_DAYS ? 'danger' : 'warning';
}

function recordsOf(section: Overview['records'][number]) {
  const { value, fault } = section;
  if (!value) return { fault };
  const { kind, total, byField, added } = value;
  return {
    name: kind.name,
    title: inWords(kind.name),
    path: listPath(kind),
    total,
    fields: byField.map((figures) => ({ label: figures.field.label, chart: valuesChart(value, figures) })),
    added: added && addedChart(value),
    addedCount: added?.reduce((all, { count }) => all + count, 0),
  };
}

/** The figures at the top. */
function tilesOf({ records, traffic }: Overview) {
  const totals = records.flatMap(({ value }) =>
    value
      ? [
          {
            label: inWords(value.kind.name),
            value: exact(value.total),
            note: value.added ? `${exact(value.added.at(-1)?.count ?? 0)} added today` : '',
            course: value.added && sparkline(value.added.map(({ count }) => count)),
            path: listPath(value.kind),
          },
        ]
      : [],
  );
  if (!traffic.value) return totals;
  const { hour, hourly } = traffic.value;
  const { requests, clientErrors, serverErrors, p50, p95 } = hour;
  return [
    ...totals,
    {
      label: 'Requests',
      value: rate(requests / 3_600),
      note: `${exact(requests)} in the last hour`,
      course: sparkline(hourly.map((point) => point.requests)),
    },
    {
      label: 'Failed (5xx)',
      ...shareOf(serverErrors, requests),
      course: sparkline(hourly.map((point) => point.serverErrors)),
      tone: serverErrors > 0 ? 'danger' : undefined,
    },
    {
      label: 'Refused (4xx)',
      ...shareOf(clientErrors, requests),
      course: sparkline(hourly.map((point) => point.clientErrors)),
    },
    {
      label: 'Latency, p95',
      value: p95 === undefined ? '–' : milliseconds(p95),
      note: p50 === undefined ? 'no requests in the last hour' : `half within ${milliseconds(p50)}`,
      course: sparkline(hourly.map((point) => point.p95)),
    },
  ];
}

/** What share some of the requests of the last hour are. */
function shareOf(some: number, requests: number) {
  if (requests === 0) return { value: '–', note: 'no requests in the last hour' };
  return { value: percent(some, requests), note: `${exact(some)} of ${exact(requests)} in the last hour` };
}
