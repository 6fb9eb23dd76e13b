import { html, type Html } from './html';

/** What descriptions are written with, of Markdown; escapes first, so that they escape what follows. */
const MARKED =
  /\\(?<escaped>[!-/:-@[-`{-~])|`(?<code>[^`]+)`|\[(?<label>[^\]]+)\]\((?<target>[^)\s]+)\)|\*\*(?<strong>[^\s*](?:[^*]*[^\s*])?)\*\*|(?<![\w*])(?<mark>[*_])(?<emphasis>[^\s*_](?:[^*_]*[^\s*_])?)\k<mark>(?![\w*])/g;

type Marked = Readonly<
  Record<'escaped' | 'code' | 'label' | 'target' | 'strong' | 'emphasis', string | undefined>
>;

/**
 * A description of the document, which is Markdown, for pages that show it to people: with code, links, strong and emphasised
 * text. Whatever else stands in it is text, HTML too.
 */
export function descriptionHtml(markdown: string): Html {
  const parts = split(markdown, (text) => html`${text}`, htmlOf);
  return html`${parts}`;
}

/** The same for terminals: its text without the marks. */
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
  // An address within the service leads elsewhere from a page that is not the document's; a form keeps what was typed in a new tab.
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
