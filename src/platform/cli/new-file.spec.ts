import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeNewFile } from './new-file';

describe('A new file', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'petstore-new-file-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('has the texts in their order', async () => {
    await writeNewFile(
      join(folder, 'pets.csv'),
      (async function* () {
        yield* await Promise.resolve(['id\n', '1\n']);
      })(),
    );
    expect(await readFile(join(folder, 'pets.csv'), 'utf8')).toBe('id\n1\n');
  });

  it('is not there, nor a part of it, when the texts fail', async () => {
    const fault = new Error('the database is away');
    const written = writeNewFile(
      join(folder, 'pets.csv'),
      (async function* () {
        yield await Promise.resolve('id\n');
        throw fault;
      })(),
    );
    await expect(written).rejects.toBe(fault);
    expect(await readdir(folder)).toEqual([]);
  });
});
