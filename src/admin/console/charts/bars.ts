import { type Html, html as markup } from '../../../platform/html/html';
import { exact, percent } from '../ui/number-text';
import { type Tone, TONES } from './marks';
import { across, share } from './scale';

/** A part of a whole. */
export interface Part {
  readonly name: string;
  readonly value: number;
  /** Its own tone; the next of {@link TONES} by default. */
  readonly tone?: Tone;
  /** Address of a link on its name; no link by default. */
  readonly path?: string | undefined;
}

/** Draws the division of a whole: one bar, and a list of its parts. */
export function proportions(parts: readonly Part[]): Html {
  const whole = parts.reduce((sum, { value }) => sum + value, 0);
  const toneOf = ({ tone }: Part, i: number) => tone ?? TONES[i] ?? 'faint';
  let before = 0;
  const rects = parts.map((part, i) => {
    const [x, width] = [before, share(part.value, 0, whole)];
    before += width;
    return markup`<rect class="chart-${toneOf(part, i)}" x="${across(x)}" width="${across(width)}" height="100%"/>`;
  });
  const items = parts.map(
    (part, i) =>
      markup`<li><span class="chart-key chart-${toneOf(part, i)}"></span>${nameOf(part)}<span class="bar-value">${exact(part.value)}</span><span class="bar-share">${percent(part.value, whole)}</span></li>`,
  );
  return markup`<svg class="proportions" width="100%" height="20" aria-hidden="true"><rect class="bar-ground" width="100%" height="100%"/>${rects}</svg><ul class="parts">${items}</ul>`;
}

function nameOf({ name, path }: Part): Html {
  return path === undefined ? markup`<span>${name}</span>` : markup`<a href="${path}">${name}</a>`;
}
