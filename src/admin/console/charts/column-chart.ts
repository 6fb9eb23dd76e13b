import { type Html, html as markup } from '../../../platform/openapi/html';
import { DAY_MS } from '../../../platform/values/calendar';
import {
  across,
  type ChartText,
  dataTable,
  digits,
  drawing,
  gapBands,
  hint,
  legend,
  NOT_MEASURED,
  type SeriesName,
  timeAxis,
  yOf,
} from './chart';
import { span } from './line-chart';
import { compact, exact } from '../ui/number-text';
import { clockText, dayText, niceTicks, type Ticks, timeTicks } from './scale';

/** One series of a chart; each column is a stack with a part for every series. */
export interface ColumnPart extends SeriesName {
  /** One value for each instant. */
  readonly values: readonly number[];
}

export interface ColumnChart extends ChartText {
  /** Beginnings of the periods of the columns, evenly spaced, ascending. */
  readonly instants: readonly Date[];
  /** The parts from the bottom up. */
  readonly parts: readonly ColumnPart[];
  /** True for columns of periods in which nothing was measured; no gaps by default. */
  readonly gaps?: readonly boolean[];
  /** True if a column stands for a day. */
  readonly isDaily: boolean;
}

/** Share of its period that a column covers. */
const FILLED = 0.76;

/** Greatest width of a column, as a share of the chart: a few would otherwise look like walls. */
const WIDEST = 0.1;

/** Draws counts over time as columns of one or more parts, with their values as a table. */
export function columnChart({ instants, parts, gaps = [], isDaily, ...about }: ColumnChart): Html {
  const [from, to] = span(instants);
  const totals = instants.map((_, i) => parts.reduce((sum, { values }) => sum + (values[i] ?? 0), 0));
  const ticks = niceTicks(
    totals.reduce((most, total) => Math.max(most, total), 0),
    4,
    true,
  );
  const step = 1 / Math.max(1, instants.length);
  // On an axis of days only days are written.
  const ticksOfTime = timeTicks(from, to, 9).filter(({ at }) => !isDaily || at.getTime() % DAY_MS === 0);
  const when = (at: Date) => (isDaily ? dayText(at) : `${dayText(at)} ${clockText(at)}`);
  const text = (i: number, value = 0) => (gaps[i] ? NOT_MEASURED : exact(value));
  const drawn = [
    ...gapBands(gaps),
    ...instants.map((_, i) => column(i, step, parts, ticks)),
    ...timeAxis(ticksOfTime, [from, to], isDaily ? step / 2 : 0),
    ...instants.map((at, i) => {
      const lines = parts.map(({ name, values }) => `${name}: ${text(i, values[i])}`);
      return hint(i * step, step, [isDaily ? when(at) : `${when(at)} UTC`, ...lines].join('\n'));
    }),
  ];
  const header = [isDaily ? 'Day (UTC)' : 'Time (UTC)', ...parts.map(({ name }) => name)];
  const rows = instants.map((at, i) => [when(at), ...parts.map(({ values }) => text(i, values[i]))]);
  const names = parts.length > 1 ? [legend(parts, gaps)] : [];
  return markup`${names}${drawing(about, ticks, compact, drawn)}${dataTable(header, rows, about.title)}`;
}

function column(i: number, step: number, parts: readonly ColumnPart[], ticks: Ticks): Html {
  const width = Math.min(FILLED * step, WIDEST);
  let below = 0;
  const rects: Html[] = [];
  for (const { values, tone } of parts) {
    const value = values[i] ?? 0;
    if (value <= 0) continue;
    const [bottom, top] = [yOf(below, ticks), yOf(below + value, ticks)];
    // Even the smallest part has to be visible.
    const height = Math.max(1.5, bottom - top);
    rects.push(
      markup`<rect class="chart-${tone}" x="${across((i + 0.5) * step - width / 2)}" width="${across(width)}" y="${digits(bottom - height)}" height="${digits(height)}" rx="1"/>`,
    );
    below += value;
  }
  return markup`${rects}`;
}
