import { type Html, html } from '../../../platform/html/html';
import { valueInWords } from '../../records/value-text';
import { icon, type IconName } from './icons';

/** The meaning of a badge or a notice; each has its colour and its icon. */
export type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger';

const TONE_ICONS: Readonly<Record<Tone, IconName>> = {
  neutral: 'info',
  accent: 'info',
  success: 'check',
  warning: 'alert',
  danger: 'alert',
};

const NUMBER = new Intl.NumberFormat('en-US');

/** Renders a dash in place of a missing value. @param said text for screen readers */
export function nothing(said = 'none'): Html {
  return html`<span class="nothing"
    ><span aria-hidden="true">–</span><span class="visually-hidden">${said}</span></span
  >`;
}

/** Lets an address break into lines between its parts, and not within a word. */
export function breakable(address: string): Html {
  return html`${address.split(/(?=\/)/).map((part) => html`${part}<wbr />`)}`;
}

/** Formats a number with thousands separators; bigints are exact. */
export function number(value: number | bigint | null | undefined): Html | string {
  return value === null || value === undefined ? nothing() : NUMBER.format(value);
}

/** Renders a status in few words. */
export function badge(text: string, tone: Tone = 'neutral'): Html {
  return html`<span class="badge badge-${tone}">${text}</span>`;
}

/** Renders a status by its name in programs: `Active`. */
export function status(name: string, tone: Tone = 'neutral'): Html {
  return badge(name === 'ok' ? 'OK' : valueInWords(name), tone);
}

/**
 * Renders a note that stays on the page.
 *
 * @param code what the note is about, by which tests find it whatever its words are
 */
export function callout(text: string | Html, tone: Tone = 'neutral', code?: string): Html {
  return html`<div class="callout callout-${tone}" ${code ? html` data-code="${code}"` : ''}>
    ${icon(TONE_ICONS[tone])}
    <div>${text}</div>
  </div>`;
}

/**
 * Renders a notice about the last action; screen readers read it at once.
 *
 * @param action a control to act on the notice
 */
export function notice(
  { tone, text }: { readonly tone: Tone; readonly text: string },
  action: Html | string = '',
): Html {
  return html`<div class="callout callout-${tone}" role="status">
    ${icon(TONE_ICONS[tone])}
    <div>${text} ${action}</div>
  </div>`;
}

/**
 * Renders an identifier or another text that people copy rather than read; the button needs JavaScript and is hidden without
 * it.
 */
export function copyable(text: string, label = 'Copy'): Html {
  return html`<span class="copyable"
    ><code>${text}</code
    ><button class="button button-quiet button-icon" type="button" data-copy="${text}" hidden>
      <span class="visually-hidden" data-copy-label>${label}</span>${icon('copy')}
    </button></span
  >`;
}

/** Renders the content of an empty list. */
export function empty(content: {
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  readonly action?: { readonly title: string; readonly path: string };
}): Html {
  const { action } = content;
  return html`<div class="empty">
    ${icon(content.icon)}
    <h2>${content.title}</h2>
    <p>${content.text}</p>
    ${action ? html`<a class="button" href="${action.path}">${action.title}</a>` : ''}
  </div>`;
}
