import { descriptionHtml, descriptionText } from './description';

describe('A description in the OpenAPI document', () => {
  it.each([
    ['The `id` of one of the pets.', 'The <code>id</code> of one of the pets.', 'The id of one of the pets.'],
    [
      'As [RFC 9562](https://www.rfc-editor.org/rfc/rfc9562) says.',
      'As <a href="https://www.rfc-editor.org/rfc/rfc9562" target="_blank" rel="noreferrer">RFC 9562</a> says.',
      'As RFC 9562 says.',
    ],
    [
      '**Never** empty, *often* _short_.',
      '<strong>Never</strong> empty, <em>often</em> <em>short</em>.',
      'Never empty, often short.',
    ],
    ['**The `id`**', '<strong>The <code>id</code></strong>', 'The id'],
    [
      'in_transit_now, 2 * 3 * 4, in\\_transit, `a\\_b`',
      'in_transit_now, 2 * 3 * 4, in_transit, <code>a\\_b</code>',
      'in_transit_now, 2 * 3 * 4, in_transit, a\\_b',
    ],
    ['[the guide](/docs/guide)', 'the guide', 'the guide'],
    ['', '', ''],
  ])('is converted to HTML and to plain text: %s', (markdown, asHtml, asText) => {
    expect(descriptionHtml(markdown).text).toBe(asHtml);
    expect(descriptionText(markdown)).toBe(asText);
  });

  it.each([
    ['<script>x</script>', '&lt;script&gt;x&lt;/script&gt;'],
    ['`<b>` **<i>**', '<code>&lt;b&gt;</code> <strong>&lt;i&gt;</strong>'],
    ['[x](javascript:alert(1)) [y](JavaScript:z)', 'x) y'],
    [
      '[x](https://a/"onclick=b)',
      '<a href="https://a/&quot;onclick=b" target="_blank" rel="noreferrer">x</a>',
    ],
  ])('cannot bring in HTML or a script: %s', (markdown, asHtml) => {
    expect(descriptionHtml(markdown).text).toBe(asHtml);
  });
});
