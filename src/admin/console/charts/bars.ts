import { type Html, html as markup } from '../../../platform/openapi/html';
import { across, type SeriesName } from './chart';
import { exact, percent } from '../ui/number-text';
import { share } from './scale';

/** A part of a whole. */
export interface Part extends SeriesName {
  readonly value: number;
  /** Address of a link on its name; no link by default. */
  readonly path?: string;
}

/** Draws the division of a whole: one bar, and a list of its parts. */
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

function nameOf({ name, path }: Part): Html {
  return path === undefined ? markup`<span>${name}</span>` : markup`<a href="${path}">${name}</a>`;
}
