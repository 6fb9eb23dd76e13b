import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { DataSource } from 'typeorm';
import { describeEachEngine } from '../../../../test/support/databases/databases';
import { csvOf, PetTransfers } from '../../../../test/support/samples/pet-transfers';
import { countRowsRead, watchSelects } from '../../../../test/support/service/rows-read';
import { startTestService, type TestService } from '../../../../test/support/service/service';
import { PETS_ADMIN } from '../../../pets/pets.admin';
import { readJson } from '../../../platform/values/json-reader';

/** Names that a client may store, and that spreadsheets, terminals or careless programs change. */
const NAMES = [
  // Formulas, and what marks a text as none
  ...['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '\uff1d1', '\uff0b1', '\uff0d1', '\uff201'],
  ...["'", "''", "'=1", "''=1", "'Tis", '=HYPERLINK("http://example.com","x")', '=cmd|"/c calc"!A1'],
  // Empty, and almost
  ...['', ' ', '\u00a0', '\t', '\r', '\n', '\r\n', ' leading', 'trailing ', '\u3000wide\u3000'],
  // Characters of CSV and of other languages
  ...[
    '"',
    '""',
    '"quoted"',
    'a"b',
    ',',
    ',,',
    ';',
    'a,b;c\td',
    'two\r\nlines',
    'a\nb',
    'a\rb',
    'ends in CR\r',
  ],
  ...[
    'sep=;',
    '\\',
    '\\"',
    '\\n',
    '<b>&amp;</b>',
    "'); DROP TABLE pets; --",
    '%s %',
    '${x}',
    '{{7*7}}',
    '../..',
  ],
  // What a spreadsheet takes for a value
  ...['TRUE', 'null', 'NaN', '1E5', '007', '9007199254740993', '1/2', '31.01.2026', '#NAME?', '50%', '€ 3'],
  // Unicode
  ...[
    '🐶',
    '👩‍👩‍👧‍👦',
    '🇩🇪',
    '𝒳',
    'e\u0301',
    '\u00e9',
    'Z\u0351\u036b\u0343\u036a',
    '\u0301x',
    'שלום',
    'مرحبا',
    '\u202eabc',
  ],
  ...[
    '\u200f',
    '\u200b',
    '\u00ad',
    '\ufeff',
    '\ufeffx',
    '\ufffd',
    '\uffff',
    '\u{10ffff}',
    '\u2028',
    '\u2029',
    '\u0085',
  ],
  ...['\u0001', '\u001a', '\u001b[31m', '\u007f', 'x'.repeat(60_000)],
];

let categories = 0n;

function asExported(text: string): string {
  return text;
}

/** Returns the text that a spreadsheet saves where the comma is for decimals, if each column is opened as text. */
function savedWithSemicolons(text: string): string {
  const rows = parse(text, { bom: true, record_delimiter: '\r\n' });
  return stringify(rows, {
    bom: true,
    delimiter: ';',
    record_delimiter: 'windows',
    quote_record_delimiter: true,
  });
}

describeEachEngine('Exports', (engine) => {
  let service: TestService;
  let transfers: PetTransfers;

  beforeAll(async () => {
    service = await startTestService(engine);
    transfers = new PetTransfers(service);
  });
  afterAll(() => service.stop());

  it.each([
    ['csv', 'csv', asExported],
    ['spreadsheet', 'csv', asExported],
    ['spreadsheet', 'csv', savedWithSemicolons],
    ['ndjson', 'ndjson', asExported],
  ] as const)('can be imported again without a difference: case %#, %s', async (format, read, saved) => {
    const category = -(2n ** 63n) + categories++;
    for (const [index, name] of NAMES.entries()) {
      const status = index % 2 ? undefined : 'sold';
      await transfers.records.create(PETS_ADMIN, { name, categoryId: category, status });
    }
    const report = await transfers.imported(saved(await transfers.exported(format, category)), read);
    expect(report).toMatchObject({ rows: NAMES.length, imported: NAMES.length, refused: 0 });
    const pets = (await transfers.stored(category)).map(({ values: { id: _id, ...rest } }) => rest);
    expect(pets.map(({ name }) => name)).toEqual([...NAMES, ...NAMES]);
    expect(pets.slice(NAMES.length)).toEqual(pets.slice(0, NAMES.length));
  });

  it('are well-formed JSON with exact integers, even when they are empty', async () => {
    await transfers.records.create(PETS_ADMIN, { name: 'precise', categoryId: 9007199254740993n });
    const [pet, ...more] = readJson(Buffer.from(await transfers.exported('json', 'precise'))) as object[];
    expect([pet, more]).toEqual([
      {
        id: expect.any(BigInt),
        name: 'precise',
        categoryId: 9007199254740993n,
        createdAt: expect.any(String),
        removedAt: null,
      },
      [],
    ]);
    expect(readJson(Buffer.from(await transfers.exported('json', 'unmatched')))).toEqual([]);
    expect(await transfers.exported('csv', 'unmatched')).toBe(
      'id,name,categoryId,status,createdAt,removedAt\r\n',
    );
    expect(await transfers.exported('ndjson', 'unmatched')).toBe('');
  });

  it('write every record once, a hundred at a time at most: nothing else is done meanwhile', async () => {
    await transfers.imported(csvOf('paged', 1_234), 'csv');
    const { result, selects } = await watchSelects(service.app.get(DataSource), () =>
      transfers.exported('ndjson', 'paged'),
    );
    expect(new Set(result.trimEnd().split('\n')).size).toBe(1_234);
    const read = await countRowsRead(service.database.url, selects);
    expect(Math.max(...read.map(({ returned }) => returned))).toBe(100);
    expect(readJson(Buffer.from(await transfers.exported('json', 'paged')))).toHaveLength(1_234);
  });
});
