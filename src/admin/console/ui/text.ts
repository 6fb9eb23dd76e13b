import { type Html, html } from '../../../platform/openapi/html';
import { icon, type IconName } from './icons';

/** What a badge or a notice means; each has its colour and its icon. */
export type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger';

const TONE_ICONS: Readonly<Record<Tone, IconName>> = {
  neutral: 'info',
  accent: 'info',
  success: 'check',
  warning: 'alert',
  danger: 'alert',
};

const NUMBER = new Intl.NumberFormat('en-US');

/** What stands where there is nothing. */
export function nothing(said = 'none'): Html {
  return html`<span class="nothing"
    ><span aria-hidden="true">–</span><span class="visually-hidden">${said}</span></span
  >`;
}

/** A number with its thousands apart; bigints are exact. */
export function number(value: number | bigint | null | undefined): Html | string {
  return value === null || value === undefined ? nothing() : NUMBER.format(value);
}

/** A status in few words. */
export function badge(text: string, tone: Tone = 'neutral'): Html {
  return html`<span class="badge badge-${tone}">${text}</span>`;
}

/** A name of a program in words, with a capital at its beginning: `never_used` becomes `Never used`. */
export function valueInWords(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A status as programs call it, for people: `Active`. */
export function status(name: string, tone: Tone = 'neutral'): Html {
  return badge(name === 'ok' ? 'OK' : valueInWords(name), tone);
}

/** Something to be known that stays on the page. */
export function callout(text: string | Html, tone: Tone = 'neutral'): Html {
  return html`<div class="callout callout-${tone}">
    ${icon(TONE_ICONS[tone])}
    <div>${text}</div>
  </div>`;
}

/**
 * What has just happened; screen readers read it at once.
 *
 * @param action what can be done about it
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

/** An identifier or another text that is copied rather than read; its button needs JavaScript and is not shown without. */
export function copyable(text: string, label = 'Copy'): Html {
  return html`<span class="copyable"
    ><code>${text}</code
    ><button class="button button-quiet button-icon" type="button" data-copy="${text}" hidden>
      <span class="visually-hidden" data-copy-label>${label}</span>${icon('copy')}
    </button></span
  >`;
}

/** What a list shows that has nothing to show. */
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
