import type { Tokens } from 'marked';

/** Writes a list in Markdown. Its items may hold `code` and [links](/target); everything else in them is taken literally. */
export function markdownList(items: readonly string[]): string {
  return items.map((item) => `- ${literal(item)}`).join('\n');
}

/** Writes a table in GitHub's Markdown, which viewers of OpenAPI documents read. Its cells follow the rules of list items. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => literal(cell).replaceAll('|', String.raw`\|`)));
  return [head, head.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Escapes angle brackets outside code: Markdown would take them for HTML, and leave out the text between them. */
function literal(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : escaped(part)))
    .join('');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[*\\]/g, String.raw`\$&`);
}

/**
 * Renders Markdown as HTML for the guide's page. HTML in it is left out: it folds long tables in viewers of the document, and
 * the page shows them whole.
 */
export function markdownHtml(markdown: string): string {
  // Loaded here: most processes never get a request for the page.
  const { parse, Renderer } = require('marked') as typeof import('marked');
  class GuideRenderer extends Renderer {
    // Wide code and tables scroll by themselves, and so have to be reachable by keyboard.
    override code(token: Tokens.Code): string {
      const pre = super.code(token).replace('<pre>', '<pre tabindex="0">').trimEnd();
      return `<div class="code"><div><span>${token.lang ?? ''}</span></div>${pre}</div>\n`;
    }

    /** Cells that links lead to: those of error codes. */
    private readonly anchors = new Set<Tokens.TableCell>();

    override table(token: Tokens.Table): string {
      const codes = token.header.findIndex(({ text }) => text === 'Code');
      for (const row of token.rows) if (row[codes]) this.anchors.add(row[codes]);
      return `<div class="table" tabindex="0">\n${super.table(token)}</div>\n`;
    }

    override tablecell(cell: Tokens.TableCell): string {
      const { header, tokens, text } = cell;
      const content = this.parser.parseInline(tokens);
      if (this.anchors.has(cell)) return `<td id="${anchorOf(text)}">${content}</td>`;
      return header ? `<th scope="col">${content}</th>` : `<td>${content}</td>`;
    }

    override heading({ depth, text, tokens }: Tokens.Heading): string {
      const content = this.parser.parseInline(tokens);
      return `<h${depth} id="${anchorOf(text)}">${content}</h${depth}>\n`;
    }

    override html(): string {
      return '';
    }
  }
  return parse(markdown, { async: false, renderer: new GuideRenderer() });
}

function anchorOf(text: string): string {
  return text.replaceAll(/[^\w-]/g, '');
}
