import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { makeFolder } from '../../../../test/support/folders';
import { PETS_ADMIN } from '../../../pets/pets.admin';
import type { ImportFormat } from './formats';
import { ImportFile } from './import-file';
import { MAX_ROW_BYTES, type SourceRow } from './source-row';
import { MalformedFileError, InvalidRowError } from './transfer.errors';

const path = join(makeFolder(), 'input');

async function opened(content: string | Buffer, format: ImportFormat): Promise<ImportFile> {
  writeFileSync(path, content);
  return ImportFile.open(path, 'input', format);
}

/** The line of each row with its values, or with the reason for its refusal. */
async function read(content: string | Buffer, format: ImportFormat): Promise<[number, unknown][]> {
  const file = await opened(content, format);
  const found: [number, unknown][] = [];
  try {
    for await (const rows of file.rows(PETS_ADMIN)) {
      for (const row of rows) {
        try {
          found.push([row.line, row.values()]);
        } catch (error) {
          if (!(error instanceof InvalidRowError)) throw error;
          found.push([row.line, error.message]);
        }
      }
    }
    const { rows } = await file.scan(PETS_ADMIN);
    expect(rows).toBe(found.length);
    return found;
  } finally {
    await file.close();
  }
}

/** Reads the same from bytes in memory, as the console does. */
async function readInMemory(content: string, format: ImportFormat): Promise<string[]> {
  const file = ImportFile.of(Buffer.from(content), 'input', format);
  const { rows, digest } = await file.scan(PETS_ADMIN);
  const found: SourceRow[] = [];
  for await (const some of file.rows(PETS_ADMIN)) found.push(...some);
  expect(found).toHaveLength(rows);
  const onDisk = await opened(content, format);
  expect(digest).toBe((await onDisk.scan(PETS_ADMIN)).digest);
  await onDisk.close();
  return found.map((row) => (row.values() as { name: string }).name);
}

const HEADER = 'name,categoryId,status';
const REX = { name: 'Rex', categoryId: 3n, status: 'sold' };

describe('A CSV file', () => {
  it.each([
    ['as it should be', `${HEADER}\r\nRex,3,sold\r\n`],
    ['as exported', `id,${HEADER},createdAt,removedAt\n9,Rex,3,sold,2026-01-31T09:30:00Z,\n`],
    ['as refused before', `refusedLine,refusedBecause,${HEADER}\n4,"name, no.",Rex,3,sold\n`],
  ])('is read %s', async (_title, content) => {
    expect(await read(content, 'csv')).toEqual([[2, REX]]);
  });

  it('is read on after a malformed row, which is reported with its line', async () => {
    const rows = `"two\r\nlines",1,,\n1,2,3,4,5\nRex,3,sold,2026-01-31T09:30:00Z\nRex,3,sold,\n`;
    expect(await read(`${HEADER},removedAt\n${rows}`, 'csv')).toEqual([
      [2, { name: 'two\r\nlines', categoryId: 1n }],
      [4, 'The row has a value in column 5, for which the header has no name.'],
      [5, 'removedAt is set: a removed pet is not imported.'],
      [6, REX],
    ]);
  });

  it.each(['9.0072E+15', '9.0072e15', '1e3', '7.0', '7.', '+7', '007', '-0', '9,00E+15'])(
    'refuses a row with a number in place of an exact integer, and no other row: %s',
    async (text) => {
      expect(await read(`${HEADER}\nRex,"${text}",sold\nRex,3,sold\n`, 'csv')).toEqual([
        [2, `categoryId is ${text}, which is not an exact integer. A spreadsheet may have rounded it.`],
        [3, REX],
      ]);
    },
  );

  it.each([
    ['9007199254740993', 9007199254740993n],
    [' -7 ', -7n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['0', 0n],
  ])('has integers with all of their digits: %s', async (text, categoryId) => {
    const [, row] = (await read(`${HEADER}\nRex,${text},sold\n`, 'csv'))[0] ?? [];
    expect(row).toEqual({ ...REX, categoryId });
  });

  it.each([
    [
      'unknown columns',
      'colour,name,Category,categoryId,size\n',
      'Line 1, the header: pets have no "colour", "Category", "size"; they have name, categoryId, status.',
    ],
    [
      'a thousand unknown columns',
      `${Array.from({ length: 1_000 }, (_, index) => `c${index}`).join()}\n`,
      '"c48", "c49" and 950 more; they have name, categoryId, status.',
    ],
    ['a missing column', 'name,status\n', 'Line 1, the header: categoryId is missing.'],
    ['no header', 'Rex,3,sold\n', 'Line 1, the header: pets have no "Rex"'],
    [
      'an open quotation mark',
      `${HEADER}\n"x\r\ny",1,\nRex,3,sold\n"Rex,3,sold\nRex,3,sold\n`,
      'Line 5: the row that begins here has a quotation mark that is not closed.',
    ],
    [
      'text behind a quotation mark',
      `${HEADER}\n"Rex"y,3,sold\n`,
      'Line 2: the row that begins here has a misplaced quotation mark',
    ],
    [
      'a row without an end',
      `${HEADER}\nRex,3,sold\n${'x'.repeat(MAX_ROW_BYTES + 1)},3,sold\n`,
      'Line 3: the row that begins here is longer than 1,048,576 bytes',
    ],
  ])('is refused as a whole for %s', async (_title, content, message) => {
    const reading = read(content, 'csv');
    await expect(reading).rejects.toThrow(MalformedFileError);
    await expect(reading).rejects.toThrow(message);
  });
});

describe('A file in memory', () => {
  it('is read like one on a disk, with a byte order mark and in several chunks', async () => {
    expect(await readInMemory(`\ufeff${HEADER}\nRex,3,sold\n`, 'csv')).toEqual(['Rex']);
    const names = Array.from({ length: 40_000 }, (_, index) => `pet ${index}`);
    const lines = names.map((name) => `${name},3,sold\n`).join('');
    expect(Buffer.byteLength(lines)).toBeGreaterThan(2 * 262_144);
    expect(await readInMemory(`${HEADER}\n${lines}`, 'csv')).toEqual(names);
  });

  it('is refused like one on a disk', () => {
    const bytes = Buffer.from(`\ufeff${HEADER}\n`, 'utf16le');
    expect(() => ImportFile.of(bytes, 'input', 'csv')).toThrow('The file is UTF-16; save it as UTF-8.');
  });
});

describe('A file that arrives as a stream', () => {
  it('is refused in a sentence that names TMPDIR when no temporary file can be written', async () => {
    const tmpdir = jest.spyOn(os, 'tmpdir').mockReturnValue(join(path, 'no folder'));
    const opening = ImportFile.openStream(Readable.from(['{}\n']), 'standard input', 'ndjson');
    await expect(opening).rejects.toThrow(/^standard input cannot be copied to a temporary file: .*TMPDIR/);
    tmpdir.mockRestore();
  });
});

describe.each(['csv', 'ndjson'] as const)('A file of nothing but empty lines, as %s,', (format) => {
  it('is read in batches of a thousand rows, with a turn of the event loop after each', async () => {
    const file = await opened(`${format === 'csv' ? HEADER : ''}\n${'\n'.repeat(200_000)}`, format);
    let turns = 0;
    const count = () => {
      turns++;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const { rows } = await file.scan(PETS_ADMIN);
    clearImmediate(counting);
    await file.close();
    expect(rows).toBeGreaterThanOrEqual(200_000);
    expect(turns).toBeGreaterThanOrEqual(200);
  });
});

describe('A CSV file whose rows have other numbers of cells than its header', () => {
  it('is read without an error of the parser for each', async () => {
    const file = await opened(`${HEADER}\n${'x\n'.repeat(1_000)}`, 'csv');
    const made = jest.spyOn(Error, 'captureStackTrace');
    try {
      expect((await file.scan(PETS_ADMIN)).rows).toBe(1_000);
      expect(made).not.toHaveBeenCalled();
    } finally {
      made.mockRestore();
      await file.close();
    }
  });
});

describe('An NDJSON file', () => {
  it('is read line by line, integers exactly', async () => {
    const content = `\ufeff{"name":"Rex","categoryId":3,"status":"sold"}\r\n{"id":1,"name":"=x","categoryId":9223372036854775807,"createdAt":null,"removedAt":null}\n{"refusedLine":1,"refusedBecause":"x","name":"Rex","categoryId":3,"status":"sold"}`;
    expect(await read(content, 'ndjson')).toEqual([
      [1, REX],
      [2, { name: '=x', categoryId: 2n ** 63n - 1n }],
      [3, REX],
    ]);
  });

  it('is read on after a malformed line, which is reported', async () => {
    const content = Buffer.concat([
      Buffer.from('[]\n"x"\nnull\n{"name":"Rex",}\n{"name":"a","name":"b"}\n{"name":"'),
      Buffer.from([0xff]),
      Buffer.from(
        `"}\n{"colour":"red","name":"Rex","size":1}\n{"removedAt":"2026-01-31T09:30:00Z"}\n${'x'.repeat(MAX_ROW_BYTES + 1)}\n{"name":"Rex","categoryId":3,"status":"sold"}\n`,
      ),
    ]);
    expect(await read(content, 'ndjson')).toEqual([
      [1, 'The line is not a JSON object.'],
      [2, 'The line is not a JSON object.'],
      [3, 'The line is not a JSON object.'],
      [4, 'The line is not valid JSON.'],
      [5, 'The line repeats a member name within an object.'],
      [6, 'The line is not valid UTF-8.'],
      [7, 'pets have no "colour", "size"; they have name, categoryId, status.'],
      [8, 'removedAt is set: a removed pet is not imported.'],
      [9, 'The line is longer than 1,048,576 bytes.'],
      [10, REX],
    ]);
  });

  it('may be empty', async () => {
    expect(await read('', 'ndjson')).toEqual([]);
  });
});
