import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { DataSource } from 'typeorm';
import { describeEachEngine } from '../../../../test/support/databases/databases';
import { csvOf, PetTransfers } from '../../../../test/admin/support/pet-transfers';
import { countRowsRead, watchSelects } from '../../../../test/support/service/rows-read';
import { startTestService, type TestService } from '../../../../test/support/service/service';
import { PETS_ADMIN } from '../../../pets/pets.admin';
import { readJson } from '../../../platform/values/json-reader';
import { readPosition, recordCursor } from '../../console/records/list/position-cursor';
import { positionOf, type RecordList, type RecordPosition } from '../list-request';
import { RecordsRepository } from '../records.repository';
import { ExportService } from './export.service';
import { IncompleteExportError } from './transfer.errors';

/** Names that a client may store, and that spreadsheets, terminals or careless programs change. */
const NAMES = [
  // Formulas, and what marks a text as none
  ...['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '\uff1d1', '\uff0b1', '\uff0d1', '\uff201'],
  ...[
    "'",
    "''",
    "'=1",
    "''=1",
    '"=1',
    `'"=1`,
    'Rex;"=1+1;x',
    "'Tis",
    '=HYPERLINK("http://example.com","x")',
    '=cmd|"/c calc"!A1',
  ],
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

  async function textOf(list: RecordList): Promise<string> {
    let text = '';
    const exports = service.app.get(ExportService, { strict: false });
    for await (const piece of exports.read(PETS_ADMIN, 'ndjson', list)) text += piece;
    return text;
  }

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
    // What counts the records to write returns a number.
    const read = await countRowsRead(
      service.database.url,
      selects.filter(({ text }) => !text.includes('COUNT(*)')),
    );
    expect(Math.max(...read.map(({ returned }) => returned))).toBe(100);
    expect(readJson(Buffer.from(await transfers.exported('json', 'paged')))).toHaveLength(1_234);
  });

  describe('of records whose times others have stored with other digits', () => {
    const STORED = {
      postgres: `"created_at" + ("id" % 7) * interval '99 microseconds'`,
      sqlite: `CASE "id" % 3 WHEN 0 THEN "created_at" || '099' WHEN 1 THEN substr("created_at", 1, 19) ELSE "created_at" END`,
    };
    const filter = { where: { categoryId: -77n } };
    let ids: bigint[];

    beforeAll(async () => {
      await transfers.imported(csvOf('digits', 1_200).replaceAll(',1\n', ',-77\n'), 'csv');
      const dataSource = service.app.get(DataSource);
      await dataSource.query(`UPDATE "pets" SET "created_at" = ${STORED[engine]} WHERE "category_id" = -77`);
      ids = (await transfers.stored(-77n)).map(({ values }) => values.id);
    });

    it.each([false, true])(
      'write every record once in the order of the times; descending: %p',
      async (descending) => {
        const order = { by: 'createdAt', descending };
        const exports = service.app.get(ExportService, { strict: false });
        const lines: string[] = [];
        for await (const text of exports.read(PETS_ADMIN, 'ndjson', { filter, order })) {
          lines.push(...text.trimEnd().split('\n'));
          if (lines.length > ids.length) break;
        }
        expect(lines).toHaveLength(ids.length);
        expect(new Set(lines).size).toBe(ids.length);
      },
    );

    it.each([false, true])('go on after any record, as lists do; descending: %p', async (descending) => {
      const order = { by: 'createdAt', descending };
      const seen: bigint[] = [];
      for (let after: RecordPosition | undefined; ;) {
        const page = await transfers.records.search(PETS_ADMIN, { filter, order, after, limit: 500 });
        seen.push(...page.map(({ values }) => values.id));
        const last = page.at(-1);
        if (!last || seen.length > ids.length) break;
        // As `list --after <id>` does, and the pages of the console.
        const known = positionOf(await transfers.records.get(PETS_ADMIN, last.values.id), order);
        const cursor = readPosition(recordCursor(last, order), PETS_ADMIN, order) as RecordPosition;
        expect(cursor.exact).toEqual(known.exact);
        after = cursor;
      }
      expect(seen.toSorted((a, b) => Number(a - b))).toEqual(ids);
    });
  });

  describe('of all records', () => {
    beforeAll(async () => {
      await transfers.imported(csvOf('old', 3), 'csv');
      const dataSource = service.app.get(DataSource);
      await dataSource.query(`UPDATE "pets" SET "created_at" = '2020-02-01T00:00:00.000Z'`);
    });

    function exported(by: string): Promise<string> {
      return textOf({ filter: {}, order: { by, descending: false } });
    }

    it.each(['id', 'createdAt'])('fail in the order of %s when they lack some', async (by) => {
      const records = service.app.get(RecordsRepository, { strict: false });
      const pages = records.pages.bind(records);
      // A list that lost its place.
      const lossy = jest.spyOn(records, 'pages').mockImplementation(async function* (...given) {
        for await (const page of pages(...given)) yield page.slice(1);
      });
      try {
        await expect(exported(by)).rejects.toThrow(IncompleteExportError);
      } finally {
        lossy.mockRestore();
      }
      expect(await exported(by)).toContain('old 0');
    });

    it('count no more rows at a time than a search looks at', async () => {
      const { selects } = await watchSelects(service.app.get(DataSource), () => exported('id'));
      const counts = selects.filter(({ text }) => text.includes('COUNT(*)'));
      expect(counts).not.toEqual([]);
      for (const { text } of counts) {
        const limits = [...text.matchAll(/LIMIT (\d+)/g)].map(([, limit]) => Number(limit));
        expect(Math.min(...limits)).toBeLessThanOrEqual(50_000);
      }
    });
  });

  it('are whole though a record does not match for a moment', async () => {
    await transfers.imported(csvOf('sold for a moment', 150), 'csv');
    const dataSource = service.app.get(DataSource);
    const set = (status: string) =>
      dataSource.query(
        `UPDATE "pets" SET "status" = '${status}', "created_at" = '2020-02-01T00:00:00.000Z' WHERE "name" = 'sold for a moment 149'`,
      );
    const filter = { where: { name: { contains: 'sold for a moment' }, status: { in: ['available'] } } };
    await set('available');
    await dataSource.query(`UPDATE "pets" SET "status" = 'available' WHERE "name" LIKE 'sold for a moment%'`);
    const texts = service.app
      .get(ExportService, { strict: false })
      .read(PETS_ADMIN, 'ndjson', { filter, order: { by: 'id', descending: false } });
    const first = await texts.next();
    await set('sold');
    const second = await texts.next();
    await set('available');
    expect(await texts.next()).toMatchObject({ done: true });
    expect([first, second].map(({ value }) => (value ?? '').trimEnd().split('\n').length)).toEqual([100, 49]);
  });
});
