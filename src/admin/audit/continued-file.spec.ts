import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../../test/support/folders';
import { continueFile } from './continued-file';

/** Longer than what is read at once. */
const LONG = 'x'.repeat(200_000);

describe('A file that a command continues', () => {
  const file = () => join(makeFolder(), 'lines');

  it.each([
    ['of one line', 'a\n', 'a', 'a\n'],
    ['of several lines', 'a\nb\n', 'b', 'a\nb\n'],
    ['with a part of a line at its end', 'a\nb\nc', 'b', 'a\nb\n'],
    ['with a part of its only line', 'a', undefined, ''],
    ['with a long last line', `a\n${LONG}\n`, LONG, `a\n${LONG}\n`],
    ['with a long part of a line at its end', `a\nb\n${LONG}`, 'b', 'a\nb\n'],
    ['with an empty line at its end', 'a\n\n', '', 'a\n\n'],
    ['that is empty', '', undefined, ''],
  ])('continues after its last whole line: %s', async (_title, content, lastLine, kept) => {
    const path = file();
    writeFileSync(path, content);
    const continued = await continueFile(path);
    expect(continued.lastLine).toBe(lastLine);
    await continued.append('next\n');
    await continued.close();
    expect(readFileSync(path, 'utf8')).toBe(`${kept}next\n`);
  });

  it('can be read by its owner alone when it is new', async () => {
    const path = file();
    await (await continueFile(path)).close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('must be a regular file in a folder that is there', async () => {
    await expect(continueFile('/dev/null')).rejects.toThrow(
      '/dev/null cannot be continued: it is not a regular file.',
    );
    await expect(continueFile(join(file(), 'missing'))).rejects.toThrow('cannot be continued: ENOENT');
  });
});
