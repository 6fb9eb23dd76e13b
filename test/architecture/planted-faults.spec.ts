import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Fault {
  readonly id: string;
  readonly file: string;
  readonly find: string;
  readonly foundBy: { readonly file: string };
}

const PROJECT = join(__dirname, '..', '..');
const faults = JSON.parse(
  readFileSync(join(PROJECT, 'test', 'planted-faults', 'faults.json'), 'utf8'),
) as Fault[];

describe('The text of each planted fault', () => {
  it.each(faults)('stands once in the file that it changes: $id', ({ file, find }) => {
    const path = join(PROJECT, file);
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    expect(text.split(find).length - 1).toBe(1);
  });
});

it('The test that finds a planted fault is there', () => {
  expect(
    faults.map(({ foundBy }) => foundBy.file).filter((file) => !existsSync(join(PROJECT, file))),
  ).toEqual([]);
});
