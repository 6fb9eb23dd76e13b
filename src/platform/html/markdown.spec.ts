import { markdownHtml, markdownList, markdownTable } from './markdown';

/** Renders Markdown, without the line ends between elements. */
const html = (markdown: string) => markdownHtml(markdown).replaceAll('>\n<', '><').trim();

describe('A list and a table of the guide', () => {
  it('escape text that Markdown would take for markup, but not code and links', () => {
    expect(markdownList(['send <API key> * 2 & `<raw>*`', 'as [b](/c) says'])).toBe(
      '- send &lt;API key> \\* 2 &amp; `<raw>*`\n- as [b](/c) says',
    );
  });

  it('escape a bar within a cell', () => {
    expect(markdownTable(['A', 'B'], [['1', 'x | y']])).toBe('| A | B |\n| --- | --- |\n| 1 | x \\| y |');
  });

  it('have the same content in HTML', () => {
    expect(html(markdownTable(['A'], [['<b> | `<c>` * [d](/e)']]))).toBe(
      '<div class="table" tabindex="0"><table><thead><tr><th scope="col">A</th></tr></thead>' +
        '<tbody><tr><td>&lt;b&gt; | <code>&lt;c&gt;</code> * <a href="/e">d</a></td></tr></tbody></table></div>',
    );
  });
});

describe('The HTML of the guide', () => {
  it('has an anchor at each heading, by its text', () => {
    expect(html('### `getPet`')).toBe('<h3 id="getPet"><code>getPet</code></h3>');
  });

  it('has an anchor at each error code', () => {
    expect(html(markdownTable(['Status', 'Code'], [['404', '`not_found`']]))).toContain(
      '<td>404</td><td id="not_found"><code>not_found</code></td>',
    );
  });

  it('makes wide code reachable by keyboard, and escapes it', () => {
    expect(html('```\n</code><script>\n```')).toBe(
      '<div class="code"><div><span></span></div><pre tabindex="0"><code>&lt;/code&gt;&lt;script&gt;\n</code></pre></div>',
    );
  });

  it('shows sections that the document folds', () => {
    const folded = '<details><summary>All</summary>\n\n- one\n- two\n\n</details>';
    expect(html(folded)).toBe('<ul><li>one</li><li>two</li></ul>');
  });
});
