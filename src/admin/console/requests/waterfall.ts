import { type Html, html as markup } from '../../../platform/openapi/html';
import type { TimelineView } from '../../../platform/tracing/timeline';
import { type TimelineRow, timelineRows } from '../../requests/timeline-rows';
import { exact, milliseconds } from '../ui/number-text';
import { across, share } from '../charts/scale';

/** Minimum width of a bar, as a share of the request's time: a narrower one could not be seen. */
const LEAST_SHARE = 0.003;

/** Draws the timeline of a request as a table, with a bar in each row for its part of the request's time. */
export function waterfall(timeline: TimelineView, durationMs: number): Html {
  const body = timelineRows(timeline).map((row) => rowOf(row, durationMs));
  return markup`<div class="waterfall-scroll" tabindex="0" role="region" aria-label="What it did"><table class="waterfall"><thead><tr><th scope="col">Phase or statement</th><th scope="col" class="number">Began at</th><th scope="col" class="number">Took</th><th scope="col" class="number">Times</th><th scope="col" class="number">Rows</th><th scope="col" class="waterfall-bar"><span class="visually-hidden">Place in the time of the request</span></th></tr></thead><tbody>${body}</tbody></table></div>`;
}

function rowOf(row: TimelineRow, durationMs: number): Html {
  const { atMs, ms, spanMs, count, rows, isStatement } = row;
  const from = Math.min(share(atMs, 0, durationMs), 1 - LEAST_SHARE);
  const width = Math.max(LEAST_SHARE, Math.min(share(spanMs, 0, durationMs), 1 - from));
  const tone = row.failed ? 'danger' : isStatement ? 'accent' : 'soft';
  const number = (value: number | undefined) =>
    markup`<td class="number">${value === undefined ? '' : exact(value)}</td>`;
  return markup`<tr><th scope="row">${nameOf(row)}</th><td class="number">${milliseconds(atMs)}</td><td class="number">${milliseconds(ms)}</td>${number(count)}${number(rows)}<td class="waterfall-bar"><svg width="100%" height="12" aria-hidden="true"><rect class="chart-${tone}" x="${across(from)}" width="${across(width)}" height="100%"/></svg></td></tr>`;
}

function nameOf({ isStatement, what, failed, place }: TimelineRow): Html {
  if (!isStatement) return markup`${what}`;
  const notes = [failed && `${failed} failed`, place].filter(Boolean).join(', ');
  return markup`<code class="waterfall-statement">${what}</code>${notes && markup`<span class="row-note">${notes}</span>`}`;
}
