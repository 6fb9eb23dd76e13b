/** A code block of a Markdown page. */
export interface CodeBlock {
  /** The first word after the fence. */
  readonly language: string;
  /** The rest of that line: what GitHub does not show. */
  readonly note: string;
  readonly text: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
  /** Heading of the section it is in. */
  readonly section: string;
}

/** Every fenced code block of a page, in order, those in lists too. */
export function codeBlocksOf(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let section = '';
  let open:
    | { readonly line: number; readonly indent: string; readonly info: string; readonly lines: string[] }
    | undefined;
  markdown.split('\n').forEach((line, index) => {
    const [, indent = '', info = ''] = /^( *)```(.*)$/.exec(line) ?? [];
    if (open && line === `${open.indent}\`\`\``) {
      const [language = '', ...note] = open.info.split(' ');
      blocks.push({
        language,
        note: note.join(' '),
        text: `${open.lines.join('\n')}\n`,
        line: open.line,
        section,
      });
      open = undefined;
    } else if (open) open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
    else if (line.trimStart().startsWith('```')) open = { line: index + 1, indent, info, lines: [] };
    else if (line.startsWith('## ')) section = line.slice(3);
  });
  return blocks;
}
