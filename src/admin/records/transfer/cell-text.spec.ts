import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { cellOfText, textOfCell } from './cell-text';

const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

const texts = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom("'", '"', '=', '-', '@', '+', 'a', ';', '\t', '\r', '\n', '\uff1d') }),
);

describe('A text in a cell', () => {
  it('is read back as it was written, and is never a formula and never empty', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const cell = cellOfText(text);
        expect(textOfCell(cell)).toBe(text);
        expect(cell).not.toMatch(FORMULA);
        // Where a spreadsheet separates by semicolons or tabs, quotes within a line hold nothing together, and those at the
        // beginning of a part are no text.
        for (const part of stringify([['1', cell, 'x']]).split(/[;\t\r\n]/)) {
          expect(part.replace(/^"+/, '')).not.toMatch(FORMULA);
        }
        expect(cell).not.toBe('');
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['Rex', 'Rex'],
    ["'Tis", "'Tis"],
    ['=1+1', "'=1+1"],
    ["'=1", "''=1"],
    ['', "'"],
    ["'", "''"],
    ['-5', "'-5"],
    ['Rex;=1+1;x', "Rex;'=1+1;x"],
    ["Rex;'=1+1", "Rex;''=1+1"],
    ['Rex;"=1+1;x', `Rex;'"=1+1;x`],
    [`Rex;'"=1+1`, `Rex;''"=1+1`],
    ['"=1+1', `'"=1+1`],
    [`'"=1+1`, `''"=1+1`],
    ['"', '"'],
    ['Rex\n-1', "Rex\n'-1"],
    ['a;b\r\nc', 'a;b\r\nc'],
  ])('is escaped: %j as %j', (text, cell) => {
    expect(cellOfText(text)).toBe(cell);
  });
});
