import { type Html, html as markup } from '../../../platform/html/html';
import type { TimelineView } from '../../../platform/tracing/timeline';
import { type TimelineRow, timelineRows } from '../../requests/timeline-rows';
import { exact, milliseconds } from '../ui/number-text';
import { across, share } from '../charts/scale';

/** Minimum width of a bar, as a share of the request's time: a narrower one could not be seen. */
const LEAST_SHARE = 0.003;

/** Milliseconds below which a phase is folded: it has not made the request slow. */
const BRIEF_MS = 0.1;

/** Length from which a statement is folded, in characters. */
const LONG_STATEMENT = 160;

/** Columns with numbers, by the member of a row that they show. */
const NUMBERS = [
  ['Began at', ({ atMs }: TimelineRow) => milliseconds(atMs)],
  ['Took', ({ ms }: TimelineRow) => milliseconds(ms)],
  ['Count', ({ count }: TimelineRow) => count !== undefined && exact(count)],
  ['Rows', ({ rows }: TimelineRow) => rows !== undefined && exact(rows)],
] as const;

/**
 * Draws the timeline of a request as a table, with a bar in each row for its part of the request's time. The last row folds brief
 * phases.
 */
export function waterfall(timeline: TimelineView, durationMs: number): Html {
  const rows = timelineRows(timeline);
  const brief = briefPhases(rows);
  const body = rows.filter((row) => !brief.includes(row)).map((row) => rowOf(row, durationMs));
  if (brief.length > 0) body.push(foldedRow(brief));
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

/** Returns the phases to fold: not those in which a statement began, for the row of the statement stands below that of its phase. */
function briefPhases(rows: readonly TimelineRow[]): readonly TimelineRow[] {
  const brief = rows.filter(
    ({ isStatement, ms }, i) => !isStatement && ms < BRIEF_MS && rows[i + 1]?.isStatement !== true,
  );
  return brief.length > 1 && brief.length < rows.length ? brief : [];
}

function foldedRow(phases: readonly TimelineRow[]): Html {
  const ms = phases.reduce((all, each) => all + each.ms, 0);
  const items = phases.map((each) => markup`<li>${each.what}: ${milliseconds(each.ms)}</li>`);
  return markup`<tr role="row"><td role="cell" colspan="${String(NUMBERS.length + 2)}"><details class="more"><summary><span class="waterfall-others">${exact(phases.length)} others, ${milliseconds(ms)} together</span></summary><ul class="waterfall-others">${items}</ul></details></td></tr>`;
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
