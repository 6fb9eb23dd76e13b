// Renamed: Prettier formats templates that are tagged `html`, and would add white space to the drawing.
import { Html, html as markup } from '../../../platform/html/html';
import type { Steps } from '../../statistics/steps';
import { compact, exact } from '../ui/number-text';
import { bands, columns, LARGE, lines, type Plot, type Series, SMALL, yOf } from './marks';
import { across, clockText, dayText, digits, niceTicks, share, type Ticks, timeTicks } from './scale';

/** Figures over time. */
export interface Figures {
  readonly steps: Steps;
  /** Each has one value for each step; stacked from the bottom up if drawn as columns. */
  readonly series: readonly Series[];
  /** Columns for counts, lines for all else. */
  readonly drawnAs: 'columns' | 'lines';
}

/** A chart that fills a card. */
export interface Chart extends Figures {
  /** The id, unique among the charts of the page. */
  readonly id: string;
  /** The title for people who use a screen reader: `Requests per minute`. */
  readonly title: string;
  /** A summary of the chart in one or two sentences. */
  readonly summary: string;
  /** True for steps in which nothing was measured; no gaps by default. */
  readonly gaps?: readonly boolean[];
  /** Formats a value with its unit; numbers by default. */
  readonly text?: (value: number) => string;
  /** The sum over all time: if none of it is older than the steps, the axis begins with the first value above 0. */
  readonly total?: number;
  /** The address of what happened in a step, if there is one; steps are no links by default. */
  readonly pathOf?: (from: Date, to: Date) => string | undefined;
}

/** A step in words. */
interface Row {
  readonly when: string;
  readonly path: string | undefined;
  readonly values: readonly string[];
}

/** Text in place of a value where nothing was measured. */
export const NOT_MEASURED = 'not measured';

/** Minimum width of the values beside a chart, in pixels, so that charts below each other begin at one line. */
const MARGIN = 48;
/** Gap between these values and the drawing, in pixels. */
const GAP = 10;
/** Width of a digit in the widest of the fonts that the style sheet names, in pixels. */
const DIGIT = 8;

/** Draws figures without axes, for a tile. Screen readers skip the drawing, because the value stands beside it. */
export function smallChart(figures: Figures): Html {
  const height = String(SMALL.top + SMALL.height + SMALL.bottom);
  return markup`<svg class="chart-small" width="100%" height="${height}" aria-hidden="true">${drawn(figures, SMALL, topOf(figures) || 1)}</svg>`;
}

/** Draws figures with axes, a legend, hints, a text alternative and a table of their values. */
export function chart(given: Chart): Html {
  const { id, title, summary, steps, series, gaps = [], text, pathOf, ...rest } = sinceFirst(given);
  const figures: Figures = { ...rest, steps, series };
  const ticks = niceTicks(topOf(figures), 4, figures.drawnAs === 'columns');
  const when = (at: Date) => (steps.areDays ? dayText(at) : `${dayText(at)} ${clockText(at)}`);
  const rows: Row[] = steps.instants.map((at, i) => ({
    when: when(at),
    path: pathOf?.(at, new Date(at.getTime() + steps.ms)),
    values: series.map(({ values }) => (gaps[i] ? NOT_MEASURED : valueText(values[i], text ?? exact))),
  }));
  const hints = rows.map((row, i) => {
    const said = series.map(({ name }, each) => `${name}: ${row.values[each]}`);
    return hint(i, steps, [steps.areDays ? row.when : `${row.when} UTC`, ...said].join('\n'), row.path);
  });
  const parts = [
    grid(ticks),
    ...bands(gaps, LARGE),
    ...drawn(figures, LARGE, ticks.end),
    ...timeAxis(steps),
    ...hints,
  ];
  const names = series.length > 1 || gaps.includes(true) ? legend(series, gaps) : [];
  const header = [steps.areDays ? 'Day (UTC)' : 'Time (UTC)', ...series.map(({ name }) => name)];
  const height = String(LARGE.top + LARGE.height + LARGE.bottom);
  const { width, labels } = axisOf(ticks, text ?? compact);
  return markup`${names}<div class="chart"><span id="${id}-title" hidden>${title}</span><span id="${id}-text" hidden>${summary}</span><svg role="img" aria-labelledby="${id}-title ${id}-text" width="${String(width)}" height="${height}">${labels}</svg><svg class="chart-plot" height="${height}" aria-hidden="true">${parts}</svg></div>${dataTable(header, rows, title)}`;
}

/** Leaves out the steps before the history begins: an axis is never longer than the history. */
function sinceFirst(all: Chart): Chart {
  const { steps, series, total } = all;
  if (total === undefined) return all;
  const sums = stacks({ steps, series });
  const sum = sums.reduce((before, value) => before + value, 0);
  const first =
    sum < total
      ? 0
      : Math.max(
          0,
          sums.findIndex((value) => value > 0),
        );
  const since = series.map((each) => ({ ...each, values: each.values.slice(first) }));
  return { ...all, steps: steps.after(first), series: since };
}

/** The sum of all series in each step. */
function stacks({ steps, series }: Pick<Figures, 'steps' | 'series'>): number[] {
  return steps.instants.map((_, i) => series.reduce((sum, { values }) => sum + (values[i] ?? 0), 0));
}

/** The largest value that the drawing reaches. */
function topOf(figures: Figures): number {
  const tops =
    figures.drawnAs === 'columns' ? stacks(figures) : figures.series.flatMap(({ values }) => values);
  return tops.reduce<number>((max, value) => Math.max(max, value ?? 0), 0);
}

function drawn({ steps, series, drawnAs }: Figures, plot: Plot, end: number): Html[] {
  return drawnAs === 'columns' ? columns(series, steps.count, plot, end) : lines(series, plot, end);
}

function valueText(value: number | undefined, text: (value: number) => string): string {
  return value === undefined ? '–' : text(value);
}

/** The values beside the y axis, right-aligned. */
function axisOf(ticks: Ticks, text: (value: number) => string) {
  const longest = ticks.values.reduce((most, value) => Math.max(most, text(value).length), 0);
  const width = Math.max(MARGIN, GAP + DIGIT * longest);
  const labels = ticks.values.map(
    (value) =>
      markup`<text class="chart-label" x="${String(width - GAP)}" y="${digits(yOf(value, LARGE, ticks.end))}" dy="4" text-anchor="end">${text(value)}</text>`,
  );
  return { width, labels };
}

function grid(ticks: Ticks): Html {
  const drawnAt = ticks.values.map((value) => {
    const y = digits(yOf(value, LARGE, ticks.end));
    return markup`<line class="${value === 0 ? 'chart-base' : 'chart-grid'}" x1="0" x2="100%" y1="${y}" y2="${y}"/>`;
  });
  return markup`${drawnAt}`;
}

/** Draws the times below the x axis, days in the middle of their step; small screens leave out every second one. */
function timeAxis({ from, to, ms, areDays, count }: Steps): Html[] {
  const y = String(LARGE.top + LARGE.height + 17);
  // On an axis of days only days are written.
  const ticks = timeTicks(from, to, 9).filter(({ at }) => !areDays || at.getTime() % ms === 0);
  return ticks.map(({ at, label }, i) => {
    const part = (areDays ? 0.5 / count : 0) + share(at.getTime(), from.getTime(), to.getTime());
    const anchor = part < 0.04 ? 'start' : part > 0.96 ? 'end' : 'middle';
    return markup`<text class="chart-label${i % 2 ? ' chart-spare' : ''}" x="${across(part)}" y="${y}" text-anchor="${anchor}">${label}</text>`;
  });
}

/** Draws a hint that appears while the person points at a step. People without a pointer follow the link in the table. */
function hint(i: number, { count }: Steps, text: string, path: string | undefined): Html {
  const [top, bottom] = [String(LARGE.top), String(LARGE.top + LARGE.height)];
  const middle = across((i + 0.5) / count);
  const parts = markup`<rect x="${across(i / count)}" width="${across(1 / count)}" y="${top}" height="${String(LARGE.height)}"/><line x1="${middle}" x2="${middle}" y1="${top}" y2="${bottom}"/><title>${text}</title>`;
  return path === undefined
    ? markup`<g class="chart-hint">${parts}</g>`
    : markup`<a class="chart-hint" href="${path}" tabindex="-1">${parts}</a>`;
}

/** Explains the tones of a chart, and the bands of its gaps. */
function legend(series: readonly Series[], gaps: readonly boolean[]): Html {
  const items = series.map(
    ({ name, tone }) => markup`<li><span class="chart-key chart-${tone}"></span>${name}</li>`,
  );
  if (gaps.includes(true)) items.push(markup`<li><span class="chart-key chart-gap"></span>Not measured</li>`);
  return markup`<ul class="chart-legend">${items}</ul>`;
}

/** Shows the values of a chart as a table that people can open. */
function dataTable(header: readonly string[], rows: readonly Row[], caption: string): Html {
  const head = header.map(
    (name, i) => markup`<th scope="col" ${new Html(i ? ' class="number"' : '')}>${name}</th>`,
  );
  const body = rows.map(({ when, path, values }) => {
    const cells = values.map((value) => markup`<td class="number">${value}</td>`);
    return markup`<tr><th scope="row">${path === undefined ? when : markup`<a href="${path}">${when}</a>`}</th>${cells}</tr>`;
  });
  return markup`<details class="chart-data"><summary>Show the values</summary><div class="chart-data-scroll" tabindex="0" role="region" aria-label="${caption}"><table class="table"><caption class="visually-hidden">${caption}</caption><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div></details>`;
}
