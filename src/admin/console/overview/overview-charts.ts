import type { Html } from '../../../platform/html/html';
import type { DailyCounts, FieldStatistics, RecordStatistics } from '../../statistics/statistics.service';
import { inWords } from '../../records/record-fields';
import { dayOf } from '../../../platform/values/calendar';
import { NOT_SET } from '../../records/record-filters';
import { listPath } from '../records/record-paths';
import { type Part, proportions } from '../charts/bars';
import { type Chart, chart } from '../charts/chart';
import { exact, milliseconds, percent } from '../ui/number-text';
import type { Traffic } from '../../statistics/traffic.service';

/** Draws requests by the class of their status. */
export function requestsChart(
  { steps, points, gaps, range: { span, stepLabel } }: Traffic,
  pathOf: Chart['pathOf'],
): Html {
  const sum = (name: 'requests' | 'clientErrors' | 'serverErrors') =>
    points.reduce((all, point) => all + point[name], 0);
  const [all, refused, failed] = [sum('requests'), sum('clientErrors'), sum('serverErrors')];
  return chart({
    id: 'requests',
    title: `Requests every ${stepLabel}`,
    summary: `${exact(all)} requests in ${span}; ${percent(refused, all)} of them were refused (4xx) and ${percent(failed, all)} failed (5xx).`,
    steps,
    series: [
      { name: 'Succeeded (2xx, 3xx)', tone: 'accent', values: points.map(({ succeeded }) => succeeded) },
      { name: 'Refused (4xx)', tone: 'soft', values: points.map(({ clientErrors }) => clientErrors) },
      { name: 'Failed (5xx)', tone: 'danger', values: points.map(({ serverErrors }) => serverErrors) },
    ],
    drawnAs: 'columns',
    gaps,
    pathOf,
  });
}

/** Draws the duration of responses. */
export function latencyChart(
  { steps, points, gaps, range: { span, stepLabel } }: Traffic,
  pathOf: Chart['pathOf'],
): Html {
  const worst = points.reduce((max, { p95 }) => Math.max(max, p95 ?? 0), 0);
  return chart({
    id: 'latency',
    title: `Latency every ${stepLabel}`,
    summary: `In ${span}, 95 % of the requests took at most ${milliseconds(worst)} in every ${stepLabel}.`,
    steps,
    series: [
      { name: 'p95', tone: 'accent', isFilled: true, values: points.map(({ p95 }) => p95) },
      { name: 'p50', tone: 'soft', values: points.map(({ p50 }) => p50) },
    ],
    drawnAs: 'lines',
    gaps,
    text: milliseconds,
    pathOf,
  });
}

/** Draws the number of records added each day. */
export function addedChart({ recordType, total }: RecordStatistics, { steps, counts }: DailyCounts): Html {
  const sum = counts.reduce((before, count) => before + count, 0);
  return chart({
    id: `added-${recordType.name}`,
    title: `${inWords(recordType.name)} added per day`,
    summary: `${exact(sum)} ${recordType.name} were added in the last ${steps.count} days.`,
    steps,
    series: [{ name: 'Added', tone: 'accent', values: counts }],
    drawnAs: 'columns',
    total,
    pathOf: (from) => {
      const day = dayOf(from);
      const filter = { 'added-from': day, 'added-to': day };
      return `${listPath(recordType)}?${new URLSearchParams(filter).toString()}`;
    },
  });
}

/** Draws the division of records by the values of one field; each value links to the records that have it. */
export function valuesChart({ recordType }: RecordStatistics, { field, counts }: FieldStatistics): Html {
  const parts = counts.map(({ value, count }): Part => {
    const filter = value === null ? { [NOT_SET]: field.name } : { [field.name]: value };
    const path = `${listPath(recordType)}?${new URLSearchParams(filter).toString()}`;
    return value === null
      ? { name: 'Not set', value: count, tone: 'faint', path }
      : { name: inWords(value), value: count, path };
  });
  return proportions(parts);
}
