import { html, type Html } from './html';

/** Markdown that descriptions use; escapes first, so that they escape the mark after them. */
const MARKED =
  /\\(?<escaped>[!-/:-@[-`{-~])|`(?<code>[^`]+)`|\[(?<label>[^\]]+)\]\((?<target>[^)\s]+)\)|\*\*(?<strong>[^\s*](?:[^*]*[^\s*])?)\*\*|(?<![\w*])(?<mark>[*_])(?<emphasis>[^\s*_](?:[^*_]*[^\s*_])?)\k<mark>(?![\w*])/g;

type Marked = Readonly<
  Record<'escaped' | 'code' | 'label' | 'target' | 'strong' | 'emphasis', string | undefined>
>;

/**
 * Renders a description of the document, which is Markdown, as HTML for pages that people read: with code, links, strong and
 * emphasised text. Everything else in it is shown as text, HTML too.
 */
export function descriptionHtml(markdown: string): Html {
  const parts = split(markdown, (text) => html`${text}`, htmlOf);
  return html`${parts}`;
}

/** Writes the same description for terminals: its text without the marks. */
export function descriptionText(markdown: string): string {
  const textOf = ({ escaped, code, label, strong, emphasis }: Marked): string =>
    escaped ?? code ?? descriptionText(label ?? strong ?? emphasis ?? '');
  return split(markdown, (text) => text, textOf).join('');
}

function htmlOf({ escaped, code, label, target = '', strong, emphasis }: Marked): Html {
  if (escaped !== undefined) return html`${escaped}`;
  if (code !== undefined) return html`<code>${code}</code>`;
  if (strong !== undefined) return html`<strong>${descriptionHtml(strong)}</strong>`;
  if (emphasis !== undefined) return html`<em>${descriptionHtml(emphasis)}</em>`;
  const shown = descriptionHtml(label ?? '');
  // An address within the service leads elsewhere from a page that is not the document's. A link opens in a new tab, so that a
  // form keeps its input.
  if (!/^https?:\/\//.test(target)) return shown;
  return html`<a href="${target}" target="_blank" rel="noreferrer">${shown}</a>`;
}

function split<Part>(
  markdown: string,
  ofText: (text: string) => Part,
  ofMarked: (marked: Marked) => Part,
): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of markdown.matchAll(MARKED)) {
    if (match.index > end) parts.push(ofText(markdown.slice(end, match.index)));
    parts.push(ofMarked(match.groups as Marked));
    end = match.index + match[0].length;
  }
  if (end < markdown.length) parts.push(ofText(markdown.slice(end)));
  return parts;
}
