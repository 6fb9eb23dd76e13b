import { type Html, html as markup } from '../../../platform/html/html';
import type { TimelineView } from '../../../platform/tracing/timeline';
import { type TimelineRow, timelineRows } from '../../requests/timeline-rows';
import { exact, milliseconds } from '../ui/number-text';
import { across, share } from '../charts/scale';

/** Minimum width of a bar, as a share of the request's time: a narrower one could not be seen. */
const LEAST_SHARE = 0.003;

/** Length from which a statement is folded, in characters. */
const LONG_STATEMENT = 160;

/** Columns with numbers, by the member of a row that they show. */
const NUMBERS = [
  ['Began at', ({ atMs }: TimelineRow) => milliseconds(atMs)],
  ['Took', ({ ms }: TimelineRow) => milliseconds(ms)],
  ['Count', ({ count }: TimelineRow) => count !== undefined && exact(count)],
  ['Rows', ({ rows }: TimelineRow) => rows !== undefined && exact(rows)],
] as const;

/** Draws the timeline of a request as a table, with a bar in each row for its part of the request's time. */
export function waterfall(timeline: TimelineView, durationMs: number): Html {
  const body = timelineRows(timeline).map((row) => rowOf(row, durationMs));
  const headings = NUMBERS.map(
    ([label]) => markup`<th scope="col" role="columnheader" class="number">${label}</th>`,
  );
  return markup`<div class="table-scroll" tabindex="0" role="region" aria-label="Phases and statements"><table class="waterfall table-plain stacking" role="table"><thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Phase or statement</th>${headings}<th scope="col" role="columnheader" class="waterfall-bar"><span class="visually-hidden">Position in the time of the request</span></th></tr></thead><tbody role="rowgroup">${body}</tbody></table></div>`;
}

/** The time that the database took for all statements of a request: `20.5 ms for 7 statements`; undefined without any. */
export function databaseText({ statements, unlisted = 0 }: TimelineView): string | undefined {
  const count = statements.reduce((all, each) => all + each.count, unlisted);
  if (count === 0) return undefined;
  const ms = statements.reduce((all, each) => all + each.ms, 0);
  return `${milliseconds(ms)} for ${exact(count)} ${count === 1 ? 'statement' : 'statements'}`;
}

function rowOf(row: TimelineRow, durationMs: number): Html {
  const from = Math.min(share(row.atMs, 0, durationMs), 1 - LEAST_SHARE);
  const width = Math.max(LEAST_SHARE, Math.min(share(row.spanMs, 0, durationMs), 1 - from));
  const tone = row.failed ? 'danger' : row.isStatement ? 'accent' : 'soft';
  const numbers = NUMBERS.map(([label, textOf]) => {
    const text = textOf(row);
    return text === false
      ? markup`<td role="cell" class="number"></td>`
      : markup`<td role="cell" data-label="${label}" class="number">${text}</td>`;
  });
  return markup`<tr role="row"><th scope="row" role="rowheader">${nameOf(row)}</th>${numbers}<td role="cell" class="waterfall-bar"><svg width="100%" height="12" aria-hidden="true"><rect class="chart-${tone}" x="${across(from)}" width="${across(width)}" height="100%"/></svg></td></tr>`;
}

function nameOf({ isStatement, what, failed, place }: TimelineRow): Html {
  if (!isStatement) return markup`${what}`;
  const notes = [failed && `${exact(failed)} failed`, place].filter(Boolean).join(', ');
  const text = markup`<code class="waterfall-statement">${what}</code>`;
  const shown =
    what.length > LONG_STATEMENT ? markup`<details class="more"><summary>${text}</summary></details>` : text;
  return markup`${shown}${notes && markup`<span class="row-note">${notes}</span>`}`;
}
