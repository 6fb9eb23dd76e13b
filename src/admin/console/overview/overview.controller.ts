import { Get } from '@nestjs/common';
import type { KeyWarning } from '../../../auth/dto/key-warning';
import type { Html } from '../../../platform/html/html';
import type { Settings } from '../../../platform/config/settings';
import { InjectSettings } from '../../../platform/config/settings.module';
import { packageVersion } from '../../../platform/config/package-version';
import { inWords } from '../../records/record-fields';
import type { Traffic, TrafficPoint } from '../../statistics/traffic.service';
import { listPath } from '../records/record-paths';
import { type Figures, smallChart } from '../charts/chart';
import { duration, exact, milliseconds, percent, rate } from '../ui/number-text';
import { ConsoleController } from '../../../platform/features/console-controller.decorator';
import { warningText } from '../keys/key-words';
import { shownRefusals } from '../requests/refusals';
import { minuteText, requestsDuring, requestsPath } from '../requests/requests-path';
import { type ConsolePage, page } from '../../../platform/features/console-page';
import { PanelsService } from '../frame/panels/panels.service';
import type { Tone } from '../charts/marks';
import type { Tone as BadgeTone } from '../ui/text';
import { CurrentRequest, type ConsoleRequest } from '../http/console-request';
import { addedChart, latencyChart, requestsChart, valuesChart } from './overview-charts';
import {
  type KeysToLookAt,
  MAX_COUNTED_KEYS,
  type Overview,
  OverviewService,
  type Records,
} from './overview.service';
import { beginOf, RANGES, type Range, rangeNamed } from '../../statistics/ranges';
import { NodesSummary } from './nodes-summary';

/** Maximum number of operations on this page; their own page has them all. */
const SHOWN = 5;

/** Maximum number of tiles in a row. */
const MOST_COLUMNS = 6;

/** Days before its expiry from which a key is marked as urgent. */
const SOON_DAYS = 7;

/** A number at the top of the page. */
interface Tile {
  readonly label: string;
  readonly value: string;
  /** The subject and the period of the value. */
  readonly note: string;
  /** The course of the value over that period. */
  readonly course?: Html;
  readonly tone?: 'danger' | undefined;
  /** Address of the link: another page, or a part of this one. */
  readonly path: string;
}

/** The first page: traffic, records, keys and health of the service. */
@ConsoleController('overview')
export class OverviewController {
  constructor(
    private readonly overview: OverviewService,
    private readonly panels: PanelsService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  @Get()
  async show(@CurrentRequest() request: ConsoleRequest): Promise<ConsolePage> {
    const range = rangeNamed(request.query.get('range'));
    const [overview, panels] = await Promise.all([
      this.overview.read(range),
      this.panels.ofOverview(request),
    ]);
    const { keys, deprecations, health, nodes } = overview;
    return page('/overview/overview', {
      title: 'Overview',
      data: {
        range,
        ranges: RANGES.map(({ name, label }) => ({
          label,
          path: request.addressWith({ range: name }),
          isCurrent: name === range.name,
        })),
        tiles: tilesOf(overview, range),
        requestsPath: requestsPath({ from: fromText(range) }),
        traffic: overview.traffic.value ? trafficOf(overview.traffic.value, this.settings) : overview.traffic,
        refusals: refusalsOf(overview.refusals, range),
        records: overview.records.map(recordsOf),
        panels,
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

function trafficOf(traffic: Traffic, { requestLogDays }: Settings) {
  const isEmpty = traffic.total.requests === 0;
  if (isEmpty) return { isEmpty };
  const pathOf = requestsDuring(requestLogDays);
  return { isEmpty, requests: requestsChart(traffic, pathOf), latency: latencyChart(traffic, pathOf) };
}

function refusalsOf({ value, fault }: Overview['refusals'], range: Range) {
  if (fault) return { fault };
  return value && { shown: shownRefusals(value, ['status', 'code', 'keyId'], { from: fromText(range) }) };
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
  const { statistics } = value;
  const { recordType, total, byField, added } = statistics;
  return {
    name: recordType.name,
    title: inWords(recordType.name),
    path: listPath(recordType),
    total,
    fields: byField.map((field) => ({ label: field.field.label, chart: valuesChart(statistics, field) })),
    added: added && addedChart(statistics, added),
    addedCount: added?.counts.reduce((all, count) => all + count, 0),
  };
}

/** The tiles at the top, all for the chosen range: those of records, then those of traffic. */
function tilesOf({ records, traffic }: Overview, range: Range) {
  const groups = [
    { label: 'Records', tiles: records.flatMap(({ value }) => (value ? [recordsTile(value, range)] : [])) },
    { label: 'Traffic', tiles: traffic.value ? trafficTiles(traffic.value, range) : [] },
  ];
  return groups
    .map(({ label, tiles }) => ({ label, rows: rowsOf(tiles) }))
    .filter(({ rows }) => rows.length > 0);
}

/** Divides tiles into rows of nearly the same length. */
function rowsOf(tiles: readonly Tile[]): Tile[][] {
  const count = Math.ceil(tiles.length / MOST_COLUMNS);
  const columns = Math.ceil(tiles.length / count);
  return Array.from({ length: count }, (_, i) => tiles.slice(i * columns, (i + 1) * columns));
}

function recordsTile({ statistics: { recordType, total }, added }: Records, { span }: Range): Tile {
  const note = added === undefined ? 'now' : `${exact(added)} added in ${span}`;
  return { label: inWords(recordType.name), value: exact(total), note, path: listPath(recordType) };
}

function trafficTiles({ steps, points, gaps, total, ...busiest }: Traffic, range: Range): Tile[] {
  const { span } = range;
  const { requests, clientErrors, serverErrors, p50, p95 } = total;
  const none = { value: '–', note: `no requests in ${span}` };
  const shareOf = (some: number) =>
    requests === 0
      ? none
      : { value: percent(some, requests), note: `${exact(some)} of ${exact(requests)} in ${span}` };
  const latency =
    p50 === undefined || p95 === undefined
      ? none
      : { value: milliseconds(p95), note: `median ${milliseconds(p50)} in ${span}` };
  // Averaged over the minutes with requests: over idle hours, the average would be a rate that never occurred.
  const average = {
    value: rate(requests / (busiest.busyMinutes * 60)),
    note: `in ${exact(busiest.busyMinutes)} busy min of ${span}; peak ${rate(busiest.mostInMinute / 60)}`,
  };
  const course = (
    of: (point: TrafficPoint) => number | undefined,
    drawnAs: Figures['drawnAs'] = 'columns',
    tone: Tone = 'accent',
  ) => {
    const values = points.map((point, i) => (gaps[i] ? undefined : of(point)));
    return smallChart({ steps, series: [{ name: '', tone, values, isFilled: true }], drawnAs });
  };
  return [
    {
      label: 'Requests',
      value: exact(requests),
      note: `in ${span}`,
      course: course((point) => point.requests),
      path: '/admin/reports/usage',
    },
    { label: 'Request rate', ...(requests === 0 ? none : average), path: '#requests' },
    {
      label: 'Failed (5xx)',
      ...shareOf(serverErrors),
      course: course((point) => point.serverErrors, 'columns', 'danger'),
      tone: serverErrors > 0 ? 'danger' : undefined,
      path: requestsPath({ outcome: 'failed', from: fromText(range) }),
    },
    {
      label: 'Refused (4xx)',
      ...shareOf(clientErrors),
      course: course((point) => point.clientErrors),
      path: requestsPath({ outcome: 'refused', from: fromText(range) }),
    },
    {
      label: 'Latency, p95',
      ...latency,
      course: course((point) => point.p95, 'lines'),
      path: requests === 0 ? '#requests' : '#latency',
    },
  ];
}

/** The begin of a range, as the filter `from` of the request log has it. */
function fromText(range: Range): string {
  return minuteText(beginOf(range));
}
