// Renamed: Prettier formats templates that are tagged `html`, and would add white space to the drawing.
import { Html, html as markup } from '../../../platform/openapi/html';
import { share, type Ticks, type TimeTick } from './scale';

/*
 * Charts are SVG as wide as the page: positions along the x axis are percentages; positions along the y axis and the size of
 * text are pixels. So text has one size on every screen; a viewBox would shrink it with the drawing.
 */

/** Height of the plot, and of the space above and below it, in pixels. */
export const PLOT = { top: 8, height: 180, bottom: 24 } as const;

/** The texts of every chart. */
export interface ChartText {
  /** The id, unique among the charts of the page. */
  readonly id: string;
  /** The title for people who use a screen reader: `Requests per minute`. */
  readonly title: string;
  /** A summary of the chart in one or two sentences. */
  readonly summary: string;
}

/** Minimum width of the values beside a chart, in pixels, so that charts below each other begin at one line. */
const MARGIN = 48;
/** Gap between these values and the drawing, in pixels. */
const GAP = 10;
/** Width of a digit in the widest of the fonts that the style sheet names, in pixels. */
const DIGIT = 8;

/**
 * Draws a chart, with its text alternative.
 *
 * @param parts drawn beside the values of the y axis, over its lines
 */
export function drawing(
  { id, title, summary }: ChartText,
  ticks: Ticks,
  text: (value: number) => string,
  parts: readonly Html[],
): Html {
  const height = String(PLOT.top + PLOT.height + PLOT.bottom);
  const longest = ticks.values.reduce((most, value) => Math.max(most, text(value).length), 0);
  const margin = Math.max(MARGIN, GAP + DIGIT * longest);
  const values = ticks.values.map(
    (value) =>
      markup`<text class="chart-label" x="${String(margin - GAP)}" y="${digits(yOf(value, ticks))}" dy="4" text-anchor="end">${text(value)}</text>`,
  );
  return markup`<div class="chart" role="img" aria-labelledby="${id}-title ${id}-text"><span id="${id}-title" hidden>${title}</span><span id="${id}-text" hidden>${summary}</span><svg width="${String(margin)}" height="${height}">${values}</svg><svg class="chart-plot" height="${height}">${grid(ticks)}${parts}</svg></div>`;
}

/** The y coordinate of a value, in pixels from the top of the chart. */
export function yOf(value: number, { end }: Ticks): number {
  return PLOT.top + PLOT.height * (1 - share(value, 0, end));
}

/** Formats a number with as many digits as can be seen. */
export function digits(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Formats a share of the width as a percentage. */
export function across(part: number): string {
  return `${digits(100 * part)}%`;
}

function grid(ticks: Ticks): Html[] {
  return ticks.values.map((value) => {
    const y = digits(yOf(value, ticks));
    return markup`<line class="${value === 0 ? 'chart-base' : 'chart-grid'}" x1="0" x2="100%" y1="${y}" y2="${y}"/>`;
  });
}

/**
 * Draws the times below the x axis; small screens leave out every second one.
 *
 * @param offset distance to the right of its instant at which each time is written, as a share of the width
 */
export function timeAxis(ticks: readonly TimeTick[], [from, to]: readonly [Date, Date], offset = 0): Html[] {
  const y = String(PLOT.top + PLOT.height + 17);
  return ticks.map(({ at, label }, i) => {
    const part = offset + share(at.getTime(), from.getTime(), to.getTime());
    const anchor = part < 0.04 ? 'start' : part > 0.96 ? 'end' : 'middle';
    return markup`<text class="chart-label${i % 2 ? ' chart-spare' : ''}" x="${across(part)}" y="${y}" text-anchor="${anchor}">${label}</text>`;
  });
}

/** Text in place of a value where nothing was measured. */
export const NOT_MEASURED = 'not measured';

/** Marks the steps in which nothing was measured; adjacent steps share one mark. */
export function gapBands(gaps: readonly boolean[]): Html[] {
  const bands: { from: number; length: number }[] = [];
  gaps.forEach((isGap, i) => {
    const last = bands.at(-1);
    if (isGap && last && last.from + last.length === i) last.length += 1;
    else if (isGap) bands.push({ from: i, length: 1 });
  });
  return bands.map(
    ({ from, length }) =>
      markup`<rect class="chart-gap" x="${across(from / gaps.length)}" width="${across(length / gaps.length)}" y="${String(PLOT.top)}" height="${String(PLOT.height)}"/>`,
  );
}

/** Draws a hint that appears while the person points at a part of the drawing. */
export function hint(from: number, width: number, text: string): Html {
  return markup`<g class="chart-hint"><rect x="${across(from)}" width="${across(width)}" y="${String(PLOT.top)}" height="${String(PLOT.height)}"/><line x1="${across(from + width / 2)}" x2="${across(from + width / 2)}" y1="${String(PLOT.top)}" y2="${String(PLOT.top + PLOT.height)}"/><title>${text}</title></g>`;
}

/** The name and the colour of one of several series in a chart. */
export interface SeriesName {
  readonly name: string;
  /** `accent` for what matters, `mid`, `soft` and `faint` for the rest, `danger` for errors. */
  readonly tone: Tone;
}

export type Tone = 'accent' | 'mid' | 'soft' | 'faint' | 'danger';

/** Explains the tones of a chart, and the bands of {@link gapBands} if there are gaps. */
export function legend(series: readonly SeriesName[], gaps: readonly boolean[] = []): Html {
  const items = series.map(
    ({ name, tone }) => markup`<li><span class="chart-key chart-${tone}"></span>${name}</li>`,
  );
  if (gaps.includes(true)) items.push(markup`<li><span class="chart-key chart-gap"></span>Not measured</li>`);
  return markup`<ul class="chart-legend">${items}</ul>`;
}

/** Shows the values of a chart as a table that people can open. */
export function dataTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  caption: string,
): Html {
  const head = header.map(
    (name, i) => markup`<th scope="col" ${new Html(i ? ' class="number"' : '')}>${name}</th>`,
  );
  const body = rows.map(([first = '', ...others]) => {
    const cells = others.map((value) => markup`<td class="number">${value}</td>`);
    return markup`<tr><th scope="row">${first}</th>${cells}</tr>`;
  });
  return markup`<details class="chart-data"><summary>Show the values</summary><div class="chart-data-scroll" tabindex="0" role="region" aria-label="${caption}"><table class="table"><caption class="visually-hidden">${caption}</caption><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div></details>`;
}
