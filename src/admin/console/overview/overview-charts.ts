import type { Html } from '../../../platform/openapi/html';
import type { FieldStatistics, RecordStatistics } from '../../statistics/statistics.service';
import { inWords } from '../../records/record-fields';
import { NOT_SET } from '../../records/record-filters';
import { listPath } from '../records/record-paths';
import { type Part, proportions } from '../charts/bars';
import type { Tone } from '../charts/chart';
import { columnChart } from '../charts/column-chart';
import { firstOf } from '../charts/history';
import { lineChart } from '../charts/line-chart';
import { exact, milliseconds, percent } from '../ui/number-text';
import type { Traffic } from './overview.service';

/** Draws requests by the class of their status. */
export function requestsChart({ points, gaps, range: { span, stepLabel } }: Traffic): Html {
  const sum = (name: 'requests' | 'clientErrors' | 'serverErrors') =>
    points.reduce((all, point) => all + point[name], 0);
  const [all, refused, failed] = [sum('requests'), sum('clientErrors'), sum('serverErrors')];
  return columnChart({
    id: 'requests',
    title: `Requests every ${stepLabel}`,
    summary: `${exact(all)} requests in ${span}; ${percent(refused, all)} of them were refused (4xx) and ${percent(failed, all)} failed (5xx).`,
    instants: points.map(({ at }) => at),
    parts: [
      { name: 'Succeeded (2xx, 3xx)', tone: 'accent', values: points.map(({ succeeded }) => succeeded) },
      { name: 'Refused (4xx)', tone: 'soft', values: points.map(({ clientErrors }) => clientErrors) },
      { name: 'Failed (5xx)', tone: 'danger', values: points.map(({ serverErrors }) => serverErrors) },
    ],
    gaps,
    isDaily: false,
  });
}

/** Draws the duration of responses. */
export function latencyChart({ points, gaps, range: { span, stepLabel } }: Traffic): Html {
  const worst = points.reduce((max, { p95 }) => Math.max(max, p95 ?? 0), 0);
  return lineChart({
    id: 'latency',
    title: `Latency every ${stepLabel}`,
    summary: `In ${span}, 95 % of the requests took at most ${milliseconds(worst)} in every ${stepLabel}.`,
    instants: points.map(({ at }) => at),
    lines: [
      { name: 'p95', tone: 'accent', isFilled: true, values: points.map(({ p95 }) => p95) },
      { name: 'p50', tone: 'soft', values: points.map(({ p50 }) => p50) },
    ],
    text: milliseconds,
    gaps,
  });
}

/** Draws the number of records added each day. */
export function addedChart({ recordType, total, added: days = [] }: RecordStatistics): Html {
  const first = firstOf(
    days.map(({ count }) => count),
    total,
  );
  const added = days.slice(first);
  const sum = added.reduce((before, { count }) => before + count, 0);
  return columnChart({
    id: `added-${recordType.name}`,
    title: `${inWords(recordType.name)} added per day`,
    summary: `${exact(sum)} ${recordType.name} were added in the last ${days.length} days.`,
    instants: added.map(({ day }) => day),
    parts: [{ name: 'Added', tone: 'accent', values: added.map(({ count }) => count) }],
    isDaily: true,
  });
}

/** Neutral shades after the accent: the most frequent value is not the most important one. */
const TONES: readonly Tone[] = ['accent', 'mid', 'soft', 'faint'];

/** Draws the division of records by the values of one field; each value links to the records that have it. */
export function valuesChart({ recordType }: RecordStatistics, { field, counts }: FieldStatistics): Html {
  const parts = counts.map(({ value, count }, i): Part => {
    const tone = TONES[Math.min(i, TONES.length - 1)] as Tone;
    const filter = value === null ? { [NOT_SET]: field.name } : { [field.name]: value };
    const path = `${listPath(recordType)}?${new URLSearchParams(filter).toString()}`;
    return value === null
      ? { name: 'Not set', value: count, tone: 'faint', path }
      : { name: inWords(value), value: count, tone, path };
  });
  return proportions(parts);
}
