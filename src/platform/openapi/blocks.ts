/**
 * A piece of text for people, written once and rendered both as Markdown and as HTML. Text may hold `code` in backticks
 * and [links](/target); everything else in it is taken literally.
 */
export type Block = string | CodeBlock | HeadingBlock | ListBlock | TableBlock;

/** Lines shown as they are. */
export interface CodeBlock {
  readonly code: string;
}

/** A heading within a section, with an anchor of its own. */
export interface HeadingBlock {
  readonly heading: string;
  readonly id: string;
}

export interface ListBlock {
  readonly items: readonly string[];
}

export interface TableBlock {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Makes a long table open on demand, under this caption, where it stands in front of something else. */
  readonly foldedAs?: string;
}

/** What the guide tells about one topic. */
export interface Section {
  /** Anchor on the guide's page. */
  readonly id: string;
  readonly title: string;
  /** What every reader needs; also in the introduction of the document. */
  readonly brief: readonly Block[];
  /** What only the guide's page adds. */
  readonly more: readonly Block[];
}

/** A part of a text. */
export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly target: string };

const CODE_OR_LINK = /`(?<code>[^`]+)`|\[(?<label>[^\]]+)\]\((?<target>[^)\s]+)\)/g;

/** Splits a text into its parts. */
export function inlineParts(text: string): Inline[] {
  const parts: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(CODE_OR_LINK)) {
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) });
    const { code, label = '', target = '' } = match.groups as Record<string, string | undefined>;
    parts.push(code === undefined ? { kind: 'link', text: label, target } : { kind: 'code', text: code });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  return parts;
}
