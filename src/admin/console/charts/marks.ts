import { type Html, html as markup } from '../../../platform/html/html';
import { across, digits, share } from './scale';

/*
 * Charts are SVG as wide as the page: positions along the x axis are percentages; positions along the y axis and the size of
 * text are pixels. So text has one size on every screen; a viewBox would shrink it with the drawing.
 */

/** Height of a drawing, and of the space above and below it, in pixels. */
export interface Plot {
  readonly top: number;
  readonly height: number;
  readonly bottom: number;
}

export const LARGE: Plot = { top: 8, height: 180, bottom: 24 };
export const SMALL: Plot = { top: 2, height: 38, bottom: 0 };

/** The name and the colour of one of several series in a chart. */
export interface SeriesName {
  readonly name: string;
  /** `accent` for what matters, `mid`, `soft` and `faint` for the rest, `danger` for errors. */
  readonly tone: Tone;
}

export type Tone = 'accent' | 'mid' | 'soft' | 'faint' | 'danger';

/** The tones of parts from the first on; those that follow have the last. */
export const TONES: readonly Tone[] = ['accent', 'mid', 'soft', 'faint'];

/** Values over time. */
export interface Series extends SeriesName {
  /** One value for each step; undefined where a value is missing. */
  readonly values: readonly (number | undefined)[];
  /** True if the area below its line is filled. */
  readonly isFilled?: boolean;
}

/** Share of its step that a column covers. */
const FILLED = 0.76;

/** Greatest width of a column, as a share of the chart: a few would otherwise look like walls. */
const WIDEST = 0.1;

/** Width of a path's own coordinates, which are stretched to the width of the chart. */
const WIDTH = 1_000;

/** The y coordinate of a value, in pixels from the top of the drawing. */
export function yOf(value: number, { top, height }: Plot, end: number): number {
  return top + height * (1 - share(value, 0, end));
}

/** Draws each step as a stack of the values of all series. */
export function columns(series: readonly Series[], count: number, plot: Plot, end: number): Html[] {
  const width = Math.min(FILLED / count, WIDEST);
  const below = Array.from({ length: count }, () => 0);
  return series.flatMap(({ values, tone }) =>
    below.flatMap((bottom, i) => {
      const value = values[i] ?? 0;
      if (value <= 0) return [];
      below[i] = bottom + value;
      const [low, high] = [yOf(bottom, plot, end), yOf(bottom + value, plot, end)];
      // Even the smallest part has to be visible.
      const height = Math.max(1.5, low - high);
      return markup`<rect class="chart-${tone}" x="${across((i + 0.5) / count - width / 2)}" width="${across(width)}" y="${digits(low - height)}" height="${digits(height)}" rx="1"/>`;
    }),
  );
}

/** Draws each series as a line that stops at missing values. */
export function lines(series: readonly Series[], plot: Plot, end: number): Html[] {
  const height = String(plot.top + plot.height);
  const paths = series.flatMap((each) =>
    stretches(each.values).map((points) => path(each, points, plot, end)),
  );
  const dots = series.flatMap(({ values, tone }) =>
    stretches(values)
      .filter(({ length }) => length === 1)
      .map(
        // One point makes no line.
        ([[x, value] = [0, 0]]) =>
          markup`<circle class="chart-dot chart-${tone}" cx="${across(x)}" cy="${digits(yOf(value, plot, end))}" r="3"/>`,
      ),
  );
  return [
    markup`<svg x="0" y="0" width="100%" height="${height}" viewBox="0 0 ${String(WIDTH)} ${height}" preserveAspectRatio="none">${paths}</svg>`,
    ...dots,
  ];
}

/** Marks the steps in which nothing was measured; adjacent steps share one mark. */
export function bands(gaps: readonly boolean[], { top, height }: Plot): Html[] {
  const found: { from: number; length: number }[] = [];
  gaps.forEach((isGap, i) => {
    const last = found.at(-1);
    if (isGap && last && last.from + last.length === i) last.length += 1;
    else if (isGap) found.push({ from: i, length: 1 });
  });
  return found.map(
    ({ from, length }) =>
      markup`<rect class="chart-gap" x="${across(from / gaps.length)}" width="${across(length / gaps.length)}" y="${String(top)}" height="${String(height)}"/>`,
  );
}

type Point = readonly [x: number, value: number];

/** Splits values at their gaps into stretches of points, each with x (from 0 to 1) and value. */
function stretches(values: readonly (number | undefined)[]): Point[][] {
  const all: Point[][] = [[]];
  values.forEach((value, i) => {
    if (value !== undefined) all.at(-1)?.push([(i + 0.5) / values.length, value]);
    else if (all.at(-1)?.length) all.push([]);
  });
  return all.filter(({ length }) => length > 0);
}

function path({ tone, isFilled = false }: Series, points: readonly Point[], plot: Plot, end: number): Html {
  if (points.length < 2) return markup``;
  const line = points.map(([x, value]) => `${digits(x * WIDTH)} ${digits(yOf(value, plot, end))}`).join('L');
  const [first, last] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
  const bottom = String(plot.top + plot.height);
  const area = `M${digits(first * WIDTH)} ${bottom}L${line}L${digits(last * WIDTH)} ${bottom}Z`;
  const fill = isFilled ? [markup`<path class="chart-area chart-${tone}" d="${area}"/>`] : [];
  return markup`${fill}<path class="chart-line chart-${tone}" d="M${line}" vector-effect="non-scaling-stroke"/>`;
}
