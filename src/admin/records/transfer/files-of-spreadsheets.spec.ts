import { ORDERS } from '../../../../test/support/samples/every-field';
import { PETS_ADMIN } from '../../../pets/pets.admin';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { Batch } from './batch';
import { ImportFile } from './import-file';
import { MalformedFileError } from './transfer.errors';

/** The line of each row that has a value, with its values, or with the reason for its refusal. */
type Rows = readonly (readonly [line: number, values: object | string])[];

const HEADER = 'name,categoryId,status';
const REX = { name: 'Rex', categoryId: 3n, status: 'sold' };
const WITHOUT_STATUS = { name: 'Rex', categoryId: 3n };
const LONG = 'x'.repeat(60_000);

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

/** Rounded, or written for people: which integer was meant cannot be known. */
function inexact(cell: string): string {
  return `categoryId is ${cell}, which is not an exact integer. A spreadsheet may have rounded it.`;
}

const NO_INTEGER = 'categoryId must be an integer from -9223372036854775808 to 9223372036854775807.';
const UTF_16 = 'The file is UTF-16; save it as UTF-8.';
const WORKBOOK = 'The file is a workbook; save its sheet as CSV.';

/** Files as programs write them, with the rows that they have; or with the sentence that refuses a file as a whole. */
const FILES: readonly (readonly [title: string, content: string | Buffer, right: Rows | string])[] = [
  // Bytes
  ['a byte order mark', `\ufeff${HEADER}\r\nRex,3,sold\r\n`, [[2, REX]]],
  ['a byte order mark before a quotation mark', `\ufeff"name","categoryId"\nRex,3\n`, [[2, WITHOUT_STATUS]]],
  ['UTF-16, little endian', Buffer.from(`\ufeff${HEADER}\r\nRex,3,sold\r\n`, 'utf16le'), UTF_16],
  ['UTF-16, big endian', Buffer.from(`\ufeff${HEADER}\r\n`, 'utf16le').swap16(), UTF_16],
  ['UTF-16 without a byte order mark', Buffer.from(`${HEADER}\r\nRex,3,sold\r\n`, 'utf16le'), UTF_16],
  [
    'Latin-1 in a row',
    latin1(`${HEADER}\r\nRex,3,sold\r\nBüffel,3,sold\r\n`),
    'Line 3: the row is not UTF-8. Save the file as UTF-8; nothing of it was imported.',
  ],
  [
    'Latin-1 in the header',
    latin1('name,categoryId,größe\r\nRex,3,1\r\n'),
    'Line 1: the row is not UTF-8. Save the file as UTF-8; nothing of it was imported.',
  ],
  ['the bytes of a workbook', Buffer.from('PK\u0003\u0004\u0014\u0000'), WORKBOOK],
  ['the bytes of an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), WORKBOOK],
  ['nothing', '', 'The file is empty; its first line must be a header.'],
  ['a byte order mark alone', '\ufeff', 'The file is empty; its first line must be a header.'],
  ['a header alone', `${HEADER}\r\n`, []],
  ['a header alone without a line end', HEADER, []],
  // Separators and line ends
  [
    'semicolons',
    'name;categoryId;status\r\nRex, the dog;3;sold\r\n',
    [[2, { ...REX, name: 'Rex, the dog' }]],
  ],
  [
    'semicolons and quotation marks',
    '"name";"categoryId"\n"a;b";"3"\n',
    [[2, { name: 'a;b', categoryId: 3n }]],
  ],
  [
    'semicolons, and no required column',
    'name;status\nRex;sold\n',
    'Line 1, the header: categoryId is missing.',
  ],
  ['semicolons that the first line declares', 'sep=;\r\nname;categoryId\r\nRex;3\r\n', [[3, WITHOUT_STATUS]]],
  ['commas that the first line declares', 'sep=,\nname,categoryId\nRex,3\n', [[3, WITHOUT_STATUS]]],
  ['tabs', '\ufeffname\tcategoryId\tstatus\r\nRex\t3\tsold\r\n', [[2, REX]]],
  [
    'commas, and semicolons in a cell',
    `${HEADER}\n"Rex;3",3,sold\nRex;3,3,sold\n`,
    [
      [2, { ...REX, name: 'Rex;3' }],
      [3, { ...REX, name: 'Rex;3' }],
    ],
  ],
  [
    'vertical bars',
    'name|categoryId\nRex|3\n',
    'Line 1, the header: pets have no "name|categoryId"; they have name, categoryId, status.',
  ],
  [
    'CR alone',
    `${HEADER}\rRex,3,sold\r"two\rlines",3,\r`,
    [
      [2, REX],
      [3, { name: 'two\rlines', categoryId: 3n }],
    ],
  ],
  ['CR alone behind the header', `${HEADER}\r`, []],
  [
    'line ends of two kinds',
    `${HEADER}\r\nRex,3,sold\nRex,3,sold\r\n`,
    [
      [2, REX],
      [3, REX],
    ],
  ],
  ['no line end at its end', `${HEADER}\r\nRex,3,sold`, [[2, REX]]],
  // Quotation marks
  ['quotation marks around all cells', '"name","categoryId","status"\r\n"Rex","3","sold"\r\n', [[2, REX]]],
  ['doubled quotation marks', `${HEADER}\n"a ""b"", c",3,sold\n`, [[2, { ...REX, name: 'a "b", c' }]]],
  [
    'line ends in cells',
    `${HEADER}\r\n"a\r\nb\nc",3,sold\r\nRex,3,sold\r\n`,
    [
      [2, { ...REX, name: 'a\r\nb\nc' }],
      [5, REX],
    ],
  ],
  ['a line end in a name of a column', '"name\r\n",categoryId\r\nRex,3\r\n', [[3, WITHOUT_STATUS]]],
  [
    'a quotation mark within a cell',
    `${HEADER}\nRex 3" tall,3,sold\n`,
    'Line 2: the row that begins here has a misplaced quotation mark: put the cell in quotation marks, and double those within it.',
  ],
  [
    'a quotation mark that is not closed',
    `${HEADER}\nRex,3,sold\n"Rex,3,sold\nRex,3,sold\n`,
    'Line 3: the row that begins here has a quotation mark that is not closed.',
  ],
  // Columns and rows
  ['its columns in another order', 'status,categoryId,name\nsold,3,Rex\n', [[2, REX]]],
  [
    'columns with unknown names',
    'name,Category,categoryId,colour\nRex,3,3,red\n',
    'Line 1, the header: pets have no "Category", "colour"; they have name, categoryId, status.',
  ],
  ['spaces around names of columns', ' name , categoryId,status \nRex,3,sold\n', [[2, REX]]],
  [
    'non-breaking spaces around names of columns',
    '\u00a0name,categoryId\u00a0,status\nRex,3,sold\n',
    [[2, REX]],
  ],
  ['a column twice', 'name,categoryId, name\nRex,3,Rex\n', 'Line 1, the header: name is there twice.'],
  ['empty columns at its end', 'name,categoryId,status,,\r\nRex,3,sold,,\r\n', [[2, REX]]],
  ['an empty column between others', 'name,,categoryId\nRex,,3\n', [[2, WITHOUT_STATUS]]],
  [
    'a value in a column without a name',
    'name,categoryId,\nRex,3,x\nRex,3,\n',
    [
      [2, 'The row has a value in column 3, for which the header has no name.'],
      [3, WITHOUT_STATUS],
    ],
  ],
  ['empty cells beyond the header', `${HEADER}\nRex,3,sold,,\n`, [[2, REX]]],
  [
    'a comma in a cell without quotation marks',
    `${HEADER}\nRex, the dog,3,sold\n`,
    [[2, 'The row has a value in column 4, for which the header has no name.']],
  ],
  [
    'rows without their last empty cells',
    `${HEADER}\nRex,3\nRex\n`,
    [
      [2, WITHOUT_STATUS],
      [3, 'categoryId is required.'],
    ],
  ],
  [
    'empty rows',
    `${HEADER}\r\nRex,3,sold\r\n,,\r\n\r\nRex,3,sold\r\n,,\r\n,,\r\n`,
    [
      [2, REX],
      [5, REX],
    ],
  ],
  ['a header of empty cells', ',,\nRex,3,sold\n', 'Line 1, the header: it is empty.'],
  // Numbers
  [
    'all digits of int64',
    `${HEADER}\nRex,9223372036854775807,sold\n`,
    [[2, { ...REX, categoryId: 2n ** 63n - 1n }]],
  ],
  [
    'an exponent',
    `${HEADER}\nRex,9.00719925474099E+15,sold\nRex,"9,01E+15",sold\n`,
    [
      [2, inexact('9.00719925474099E+15')],
      [3, inexact('9,01E+15')],
    ],
  ],
  ['an exponent in a text', `${HEADER}\n1E5,3,sold\n`, [[2, { ...REX, name: '1E5' }]]],
  [
    'leading zeros',
    `${HEADER}\n007,3,sold\nRex,003,sold\n`,
    [
      [2, { ...REX, name: '007' }],
      [3, inexact('003')],
    ],
  ],
  ['decimals of an integer', `${HEADER}\nRex,3.0,sold\n`, [[2, inexact('3.0')]]],
  [
    'thousands separators',
    `${HEADER}\nRex,"1,234",sold\nRex,1.234.567,sold\nRex,1\u202f234,sold\nRex,1'234,sold\n`,
    [
      [2, inexact('1,234')],
      [3, NO_INTEGER],
      [4, NO_INTEGER],
      [5, NO_INTEGER],
    ],
  ],
  [
    'spaces and non-breaking spaces around values',
    `name, categoryId, status\n Rex , 3\u00a0, sold\n`,
    [[2, { ...REX, name: ' Rex ' }]],
  ],
  // What a spreadsheet calculates
  [
    'formulas',
    `${HEADER}\n=1+1,3,sold\n'=1+1,3,sold\nRex,=1+2,sold\n`,
    [
      [2, { ...REX, name: '=1+1' }],
      [3, { ...REX, name: '=1+1' }],
      [4, NO_INTEGER],
    ],
  ],
  [
    'errors of formulas',
    `${HEADER}\n#NAME?,3,sold\nRex,#REF!,sold\n`,
    [
      [2, { ...REX, name: '#NAME?' }],
      [3, NO_INTEGER],
    ],
  ],
  [
    'TRUE and dates in other columns',
    `${HEADER}\nTRUE,3,sold\n31.01.2026,TRUE,sold\n`,
    [
      [2, { ...REX, name: 'TRUE' }],
      [3, NO_INTEGER],
    ],
  ],
  // Texts
  [
    'NUL in a cell',
    `${HEADER}\na\u0000b,3,sold\n`,
    [[2, 'name must be a string of well-formed Unicode without U+0000.']],
  ],
  ['a cell of 60,000 characters', `${HEADER}\n${LONG},3,sold\n`, [[2, { ...REX, name: LONG }]]],
  [
    'an empty text',
    `${HEADER}\n,3,sold\n',3,sold\n`,
    [
      [2, { ...REX, name: '' }],
      [3, { ...REX, name: '' }],
    ],
  ],
];

/** Reads the rows of a file, and returns by line which are accepted and which refused, with the reason. */
async function judged(recordType: AdminRecords, content: string | Buffer): Promise<Rows> {
  const file = ImportFile.of(Buffer.from(content as string), 'pets.csv', 'csv');
  const found: [number, object | string][] = [];
  for await (const rows of file.rows(recordType)) {
    const batch = new Batch(rows, recordType.creation ?? Object);
    batch.settle(batch.candidates.map(({ creation }) => creation as never));
    found.push(...batch.accepted.map(({ row, creation }): [number, object] => [row.line, creation]));
    found.push(...batch.refused.map(({ line, reason }): [number, string] => [line, reason]));
  }
  return found.sort(([a], [b]) => a - b);
}

describe('A CSV file of a spreadsheet', () => {
  it.each(FILES)('is judged row by row, or refused in a sentence: %s', async (_title, content, right) => {
    const judging = judged(PETS_ADMIN, content);
    if (typeof right !== 'string') return expect(await judging).toEqual(right);
    await expect(judging).rejects.toThrow(MalformedFileError);
    await expect(judging).rejects.toThrow(right);
  });

  it('has booleans in capital letters, and dates and times by RFC 3339 alone', async () => {
    const order = { note: 'x', gift: true, petId: 3n };
    const rows = ['TRUE,2026-01-31', 'False,', 'TRUE,31.01.2026', 'WAHR,'].map((cells) => `x,3,${cells}\r\n`);
    expect(await judged(ORDERS, `note,petId,gift,day\r\n${rows.join('')}`)).toEqual([
      [2, { ...order, day: '2026-01-31' }],
      [3, { ...order, gift: false }],
      [4, 'day must be a date such as 2026-01-31.'],
      [5, 'gift must be true or false.'],
    ]);
  });
});
