// Not by its own name, under which Prettier would add white space to what is drawn.
import { Html, html as markup } from '../../../platform/openapi/html';
import { share, type Ticks, type TimeTick } from './scale';

/*
 * Charts are SVG whose width is that of the page: what lies along the x axis is told in per cent, what lies along the y axis
 * and the size of text in pixels. So text has one size on every screen, which a viewBox would shrink with the drawing.
 */

/** Height of what is drawn, in pixels, and of what is above it and below. */
export const PLOT = { top: 18, height: 180, bottom: 24 } as const;

/** What every chart says of itself. */
export interface ChartText {
  /** Unlike that of every other chart of the page. */
  readonly id: string;
  /** What is drawn, for those who hear it: `Requests per minute`. */
  readonly title: string;
  /** What it shows in one or two sentences. */
  readonly summary: string;
}

/** The drawing of a chart, with its text alternative. */
export function drawing({ id, title, summary }: ChartText, parts: readonly Html[]): Html {
  const height = String(PLOT.top + PLOT.height + PLOT.bottom);
  return markup`<svg class="chart" width="100%" height="${height}" role="img" aria-labelledby="${id}-title ${id}-text"><title id="${id}-title">${title}</title><desc id="${id}-text">${summary}</desc>${parts}</svg>`;
}

/** Where a value stands above the x axis, in pixels from the top of the chart. */
export function yOf(value: number, { end }: Ticks): number {
  return PLOT.top + PLOT.height * (1 - share(value, 0, end));
}

/** A number with as many digits as can be seen. */
export function digits(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** A part of the width. */
export function across(part: number): string {
  return `${digits(100 * part)}%`;
}

/** The lines of the y axis with their values above them, as there is no room beside the drawing on a small screen. */
export function grid(ticks: Ticks, text: (value: number) => string): Html[] {
  return ticks.values.map((value) => {
    const y = digits(yOf(value, ticks));
    const line = markup`<line class="${value === 0 ? 'chart-base' : 'chart-grid'}" x1="0" x2="100%" y1="${y}" y2="${y}"/>`;
    return value === 0
      ? line
      : markup`${line}<text class="chart-label" x="0" y="${y}" dy="-5">${text(value)}</text>`;
  });
}

/**
 * The times below the x axis; every second one is left out on small screens.
 *
 * @param offset how far right of its instant each is written, as a part of the width
 */
export function timeAxis(ticks: readonly TimeTick[], [from, to]: readonly [Date, Date], offset = 0): Html[] {
  const y = String(PLOT.top + PLOT.height + 17);
  return ticks.map(({ at, label }, i) => {
    const part = offset + share(at.getTime(), from.getTime(), to.getTime());
    const anchor = part < 0.04 ? 'start' : part > 0.96 ? 'end' : 'middle';
    return markup`<text class="chart-label${i % 2 ? ' chart-spare' : ''}" x="${across(part)}" y="${y}" text-anchor="${anchor}">${label}</text>`;
  });
}

/** What appears while somebody points at a part of the drawing. */
export function hint(from: number, width: number, text: string): Html {
  return markup`<g class="chart-hint"><rect x="${across(from)}" width="${across(width)}" y="${String(PLOT.top)}" height="${String(PLOT.height)}"/><line x1="${across(from + width / 2)}" x2="${across(from + width / 2)}" y1="${String(PLOT.top)}" y2="${String(PLOT.top + PLOT.height)}"/><title>${text}</title></g>`;
}

/** One of several things that are drawn in one chart. */
export interface SeriesName {
  readonly name: string;
  /** `accent` for what matters, `soft` and `faint` for the rest in neutral shades, `danger` for what is wrong. */
  readonly tone: Tone;
}

export type Tone = 'accent' | 'strong' | 'soft' | 'faint' | 'danger' | 'warning';

/** What the tones of a chart mean. */
export function legend(series: readonly SeriesName[]): Html {
  const items = series.map(
    ({ name, tone }) => markup`<li><span class="chart-key chart-${tone}"></span>${name}</li>`,
  );
  return markup`<ul class="chart-legend">${items}</ul>`;
}

/** The values of a chart as a table, to be opened by those who want to read them. */
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
