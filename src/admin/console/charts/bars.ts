import { type Html, html as markup } from '../../../platform/openapi/html';
import { across, type SeriesName } from './chart';
import { exact, percent } from './number-text';
import { share } from './scale';

/** One bar. */
export interface Bar {
  readonly name: string;
  readonly value: number;
  /** Where a click on its name leads; nowhere unless set. */
  readonly path?: string;
}

function nameOf({ name, path }: Bar): Html {
  return path === undefined ? markup`<span>${name}</span>` : markup`<a href="${path}">${name}</a>`;
}

/** Bars one below the other with their names and values, the longest as wide as the list. */
export function horizontalBars(bars: readonly Bar[], text: (value: number) => string = exact): Html {
  const most = bars.reduce((max, { value }) => Math.max(max, value), 0);
  const items = bars.map((bar) => {
    const width = across(share(bar.value, 0, most));
    return markup`<li><div class="bar-text">${nameOf(bar)}<span class="bar-value">${text(bar.value)}</span></div><svg class="bar" width="100%" height="8" aria-hidden="true"><rect class="bar-ground" width="100%" height="8" rx="4"/><rect class="chart-accent" width="${width}" height="8" rx="4"/></svg></li>`;
  });
  return markup`<ul class="bars">${items}</ul>`;
}

/** A part of a whole. */
export interface Part extends Bar, SeriesName {}

/** How a whole is divided: one bar, and what its parts are. */
export function proportions(parts: readonly Part[]): Html {
  const whole = parts.reduce((sum, { value }) => sum + value, 0);
  let before = 0;
  const rects = parts.map(({ value, tone }) => {
    const [x, width] = [before, share(value, 0, whole)];
    before += width;
    return markup`<rect class="chart-${tone}" x="${across(x)}" width="${across(width)}" height="100%"/>`;
  });
  const items = parts.map(
    (part) =>
      markup`<li><span class="chart-key chart-${part.tone}"></span>${nameOf(part)}<span class="bar-value">${exact(part.value)}</span><span class="bar-share">${percent(part.value, whole)}</span></li>`,
  );
  return markup`<svg class="proportions" width="100%" height="20" aria-hidden="true"><rect class="bar-ground" width="100%" height="100%"/>${rects}</svg><ul class="parts">${items}</ul>`;
}
