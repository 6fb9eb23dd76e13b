import { type Block, type Inline, inlineParts, type TableBlock } from './blocks';

/** Blocks as CommonMark with GitHub's tables, which is what viewers of OpenAPI documents read. */
export function blocksToMarkdown(blocks: readonly Block[]): string {
  return blocks.map(blockToMarkdown).join('\n\n');
}

function blockToMarkdown(block: Block): string {
  if (typeof block === 'string') return inline(block);
  if ('code' in block) return `\`\`\`\n${block.code}\n\`\`\``;
  if ('heading' in block) return `### ${inline(block.heading)}`;
  if ('items' in block) return block.items.map((item) => `- ${inline(item)}`).join('\n');
  const table = tableToMarkdown(block);
  // The empty lines make viewers read what is inside as Markdown.
  return block.foldedAs === undefined
    ? table
    : `<details><summary>${literal(block.foldedAs)}</summary>\n\n${table}\n\n</details>`;
}

function tableToMarkdown(block: TableBlock): string {
  return [block.head, block.head.map(() => '---'), ...block.rows.map((row) => row.map(cell))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function inline(text: string): string {
  return inlineParts(text).map(part).join('');
}

function cell(text: string): string {
  return inline(text).replaceAll('|', String.raw`\|`);
}

function part(piece: Inline): string {
  if (piece.kind === 'code') return `\`${piece.text}\``;
  const text = literal(piece.text);
  return piece.kind === 'link' ? `[${text}](${piece.target})` : text;
}

/** Markdown would take angle brackets for HTML, and leave out what is between them. */
function literal(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[*\\]/g, String.raw`\$&`);
}
