import { type Html, html as markup } from '../../../platform/openapi/html';
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
  PLOT,
  type SeriesName,
  timeAxis,
  yOf,
} from './chart';
import { clockText, dayText, niceTicks, share, type Ticks, timeTicks } from './scale';

/** Values over time, drawn as one line. */
export interface Line extends SeriesName {
  /** One value for each instant; undefined where a value is missing. */
  readonly values: readonly (number | undefined)[];
  /** True if the area below is filled. */
  readonly isFilled?: boolean;
}

export interface LineChart extends ChartText {
  /** Evenly spaced, ascending; each value stands for the period until the next instant. */
  readonly instants: readonly Date[];
  readonly lines: readonly Line[];
  /** True for values that are missing because nothing was measured; no gaps by default. */
  readonly gaps?: readonly boolean[];
  /** Formats a value with its unit. */
  readonly text: (value: number) => string;
  /** True if only whole numbers make sense. */
  readonly isWhole?: boolean;
}

/** Width of the path's own coordinates, which are stretched to the width of the chart. */
const WIDTH = 1_000;

/** Draws lines over time, with their values as a table. */
export function lineChart({ instants, lines, gaps = [], text, isWhole = false, ...about }: LineChart): Html {
  const [from, to] = span(instants);
  const all = lines.flatMap(({ values }) => values.filter((value) => value !== undefined));
  const ticks = niceTicks(
    all.reduce((max, value) => Math.max(max, value), 0),
    4,
    isWhole,
  );
  const step = 1 / Math.max(1, instants.length);
  const valueAt = (i: number, value: number | undefined) => (gaps[i] ? NOT_MEASURED : valueText(value, text));
  const parts = [
    ...gapBands(gaps),
    markup`<svg x="0" y="0" width="100%" height="${String(PLOT.top + PLOT.height)}" viewBox="0 0 ${String(WIDTH)} ${String(PLOT.top + PLOT.height)}" preserveAspectRatio="none">${lines.map((line) => paths(line, ticks))}</svg>`,
    ...lines.flatMap((line) => dots(line, ticks)),
    ...timeAxis(timeTicks(from, to, 9), [from, to]),
    ...instants.map((at, i) => hint(i * step, step, hintText(at, i, lines, valueAt))),
  ];
  const header = ['Time (UTC)', ...lines.map(({ name }) => name)];
  const rows = instants.map((at, i) => [
    `${dayText(at)} ${clockText(at)}`,
    ...lines.map(({ values }) => valueAt(i, values[i])),
  ]);
  return markup`${legend(lines, gaps)}${drawing(about, ticks, text, parts)}${dataTable(header, rows, about.title)}`;
}

/** The beginning of the first period and the end of the last. */
export function span(instants: readonly Date[]): [Date, Date] {
  const first = instants[0] ?? new Date(0);
  const last = instants.at(-1) ?? first;
  const step = (instants[1]?.getTime() ?? first.getTime() + 60_000) - first.getTime();
  return [first, new Date(last.getTime() + step)];
}

function valueText(value: number | undefined, text: (value: number) => string): string {
  return value === undefined ? '–' : text(value);
}

function hintText(
  at: Date,
  i: number,
  lines: readonly Line[],
  valueAt: (i: number, value: number | undefined) => string,
): string {
  const values = lines.map(({ name, values: of }) => `${name}: ${valueAt(i, of[i])}`);
  return [`${dayText(at)} ${clockText(at)} UTC`, ...values].join('\n');
}

/** Splits values at their gaps into stretches of points, each with x (from 0 to 1) and value. */
export function stretches(values: readonly (number | undefined)[]): [x: number, value: number][][] {
  const all: [number, number][][] = [[]];
  values.forEach((value, i) => {
    if (value !== undefined) all.at(-1)?.push([(i + 0.5) / values.length, value]);
    else if (all.at(-1)?.length) all.push([]);
  });
  return all.filter(({ length }) => length > 0);
}

function paths({ values, tone, isFilled = false }: Line, ticks: Ticks): Html {
  return markup`${stretches(values)
    .filter(({ length }) => length > 1)
    .map((points) => {
      const line = points.map(([x, value]) => `${digits(x * WIDTH)} ${digits(yOf(value, ticks))}`).join('L');
      const [first, last] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
      const bottom = String(PLOT.top + PLOT.height);
      const area = `M${digits(first * WIDTH)} ${bottom}L${line}L${digits(last * WIDTH)} ${bottom}Z`;
      const fill = isFilled ? [markup`<path class="chart-area chart-${tone}" d="${area}"/>`] : [];
      return markup`${fill}<path class="chart-line chart-${tone}" d="M${line}" vector-effect="non-scaling-stroke"/>`;
    })}`;
}

/** Draws values between two gaps as dots: one point makes no line. */
function dots({ values, tone }: Line, ticks: Ticks): Html[] {
  return stretches(values)
    .filter(({ length }) => length === 1)
    .map(([point = [0, 0]]) => {
      const [x, value] = point;
      return markup`<circle class="chart-dot chart-${tone}" cx="${across(x)}" cy="${digits(yOf(value, ticks))}" r="3"/>`;
    });
}

/** Draws the course of some values without axes. Screen readers skip it, because the values stand beside it. */
export function sparkline(values: readonly (number | undefined)[]): Html {
  const max = values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0) || 1;
  const height = 32;
  const y = (value: number) => digits(height - 2 - (height - 4) * share(value, 0, max));
  // The first and the last value lie on the edges.
  const xOf = (x: number) => ((x * values.length - 0.5) / (values.length - 1)) * 100;
  const parts = stretches(values)
    .filter(({ length }) => length > 1)
    .map((points) => {
      const line = points.map(([x, value]) => `${digits(xOf(x))} ${y(value)}`).join('L');
      const [first, last] = [xOf(points[0]?.[0] ?? 0), xOf(points.at(-1)?.[0] ?? 0)];
      return markup`<path class="chart-area chart-accent" d="M${digits(first)} ${String(height)}L${line}L${digits(last)} ${String(height)}Z"/><path class="chart-line chart-accent" d="M${line}" vector-effect="non-scaling-stroke"/>`;
    });
  return markup`<svg class="sparkline" viewBox="0 0 100 ${String(height)}" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}
