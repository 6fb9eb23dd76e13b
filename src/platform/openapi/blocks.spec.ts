import { type Block, inlineParts } from './blocks';
import { blocksToHtml } from './blocks-html';
import { blocksToMarkdown } from './blocks-markdown';

const toHtml = (...blocks: Block[]) =>
  blocksToHtml(blocks)
    .map(({ text }) => text)
    .join('')
    .replaceAll(/>\n\s*</g, '><')
    .trim();
const toMarkdown = (...blocks: Block[]) => blocksToMarkdown(blocks);

describe('inlineParts', () => {
  it('tells code and links from text', () => {
    expect(inlineParts('Send `a` as [b](/c).')).toEqual([
      { kind: 'text', text: 'Send ' },
      { kind: 'code', text: 'a' },
      { kind: 'text', text: ' as ' },
      { kind: 'link', text: 'b', target: '/c' },
      { kind: 'text', text: '.' },
    ]);
  });

  it('leaves brackets and backticks alone that are neither', () => {
    expect(inlineParts('[a] (b) `')).toEqual([{ kind: 'text', text: '[a] (b) `' }]);
  });
});

describe('blocksToHtml', () => {
  it('escapes everything that is not its own markup', () => {
    expect(toHtml('a <b> & "c" `<d>` [e](/f"g)')).toBe(
      '<p>a &lt;b&gt; &amp; &quot;c&quot; <code>&lt;d&gt;</code> <a href="/f&quot;g">e</a></p>',
    );
    expect(toHtml({ code: '</code><script>' })).toBe(
      '<pre tabindex="0"><code>&lt;/code&gt;&lt;script&gt;</code></pre>',
    );
  });

  it('renders headings, lists and tables', () => {
    expect(toHtml({ heading: '`x`', id: 'x' })).toBe('<h3 id="x"><code>x</code></h3>');
    expect(toHtml({ items: ['a', '`b`'] })).toBe('<ul><li>a</li><li><code>b</code></li></ul>');
    expect(toHtml({ head: ['A'], rows: [['1']] })).toContain(
      '<th scope="col">A</th></tr></thead><tbody><tr><td>1</td></tr>',
    );
  });
});

describe('blocksToMarkdown', () => {
  it('keeps text that Markdown would take for markup', () => {
    expect(toMarkdown('send <API key> * 2 & `<raw>*`')).toBe('send &lt;API key> \\* 2 &amp; `<raw>*`');
  });

  it('renders paragraphs, code, headings, lists and tables', () => {
    expect(toMarkdown('a', { code: 'b\nc' }, { heading: 'd', id: 'd' }, { items: ['[e](/f)', 'g'] })).toBe(
      'a\n\n```\nb\nc\n```\n\n### d\n\n- [e](/f)\n- g',
    );
    expect(toMarkdown({ head: ['A', 'B'], rows: [['1', 'x | y']] })).toBe(
      '| A | B |\n| --- | --- |\n| 1 | x \\| y |',
    );
  });

  it('folds a table under its caption', () => {
    expect(toMarkdown({ foldedAs: 'All', head: ['A'], rows: [['1']] })).toBe(
      '<details><summary>All</summary>\n\n| A |\n| --- |\n| 1 |\n\n</details>',
    );
  });
});
