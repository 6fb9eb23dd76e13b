import { renderTable } from './table';

const table = {
  header: ['ID', 'NAME'],
  rows: [
    ['key_1', 'shop'],
    ['k', 'a b'],
  ],
};

describe('a table', () => {
  it('is aligned under a bold header on a terminal', () => {
    expect(renderTable(table, true)).toBe('\u001b[1mID     NAME\u001b[22m\nkey_1  shop\nk      a b\n');
  });

  it('is tab-separated elsewhere', () => {
    expect(renderTable(table, false)).toBe('ID\tNAME\nkey_1\tshop\nk\ta b\n');
  });

  it.each([true, false])(
    'writes out characters that would drive a terminal or break a line (%s)',
    (isTerminal) => {
      const text = renderTable(
        { header: ['A'], rows: [['\u001b[2J\t\n\r\u0085\u2028\u202e\u200b']] },
        isTerminal,
      );
      expect(text.split('\n')[1]).toBe('\\u{1b}[2J\\u{9}\\u{a}\\u{d}\\u{85}\\u{2028}\\u{202e}\\u{200b}');
    },
  );

  it('consists of its header when there are no rows', () => {
    expect(renderTable({ header: ['ID', 'NAME'], rows: [] }, false)).toBe('ID\tNAME\n');
  });
});
