import { link, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError } from './command-error';
import { NewFile, nameOfUnfinished, writeNewFile } from './new-file';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-new-file-'));
  path = join(folder, 'pets.csv');
});
afterEach(() => rm(folder, { recursive: true }));

/** Texts whose writing is under way when something happens. */
async function* meanwhile(work: () => Promise<unknown>) {
  yield 'id\n';
  await work();
  yield '1\n';
}

describe('A new file', () => {
  it('has the texts in their order, for its owner alone', async () => {
    await writeNewFile(path, ['id\n', '1\n']);
    expect(await readFile(path, 'utf8')).toBe('id\n1\n');
    expect(((await stat(path)).mode & 0o777).toString(8)).toBe('600');
    expect(await readdir(folder)).toEqual(['pets.csv']);
  });

  it('is not there, nor a part of it, when the texts fail', async () => {
    const fault = new Error('the database is away');
    await expect(
      writeNewFile(
        path,
        meanwhile(() => Promise.reject(fault)),
      ),
    ).rejects.toBe(fault);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not there, nor a part of it, when the process is told to end as soon as it begins', async () => {
    const writing = writeNewFile(path, ['id\n', '1\n']);
    process.emit('SIGINT');
    await expect(writing).rejects.toThrow(CommandError);
    expect(await readdir(folder)).toEqual([]);
  });

  it('replaces no file and follows no link, whether they were there before or come while it is written', async () => {
    const other = join(folder, 'other');
    await writeFile(other, 'of somebody');
    const makers: (() => Promise<void>)[] = [
      () => writeFile(path, 'of somebody'),
      () => symlink(other, path),
      () => symlink(join(folder, 'nowhere'), path),
      () => link(other, path),
    ];
    for (const make of makers) {
      await make();
      await expect(writeNewFile(path, ['mine'])).rejects.toThrow('pets.csv already exists');
      await rm(path);
      await expect(writeNewFile(path, meanwhile(make))).rejects.toThrow('pets.csv already exists');
      expect((await readdir(folder)).sort()).toEqual(['other', 'pets.csv']);
      expect(await readFile(other, 'utf8')).toBe('of somebody');
      await rm(path);
    }
  });

  it('has another name each time until it is complete', async () => {
    const files = [await NewFile.begin(path), await NewFile.begin(path)];
    expect(new Set(await readdir(folder)).size).toBe(2);
    expect((await readdir(folder)).map(nameOfUnfinished)).toEqual(['pets.csv', 'pets.csv']);
    for (const file of files) await file.discard();
    expect(await readdir(folder)).toEqual([]);
  });
});
