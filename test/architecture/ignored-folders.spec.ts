import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { getFileInfo } from 'prettier';

const ROOT = join(__dirname, '..', '..');

describe('A feature that is called like a folder of the project', () => {
  it.each(['data', 'dist', 'coverage'])('is committed and formatted: %s', async (name) => {
    const path = `src/${name}/${name}.module.ts`;
    const ignored = spawnSync('git', ['check-ignore', '--no-index', '--verbose', path], { cwd: ROOT });
    expect(String(ignored.stdout)).toBe('');
    expect(await getFileInfo(join(ROOT, path), { ignorePath: join(ROOT, '.prettierignore') })).toMatchObject({
      ignored: false,
    });
  });
});
