/**
 * Run at the end of each build: writes dist/commit.json, which says of which commit the build is. It is that of `PETSTORE_COMMIT`,
 * for builders that have no history, such as Docker, or that of the clone, followed by `-dirty` when its files differ from the
 * commit. Without either there is no file: no commit is better than a wrong one.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = realpathSync(join(import.meta.dirname, '..'));
const FILE = join(PROJECT, 'dist', 'commit.json');

const given = process.env.PETSTORE_COMMIT;
if (given && !/^[0-9a-f]{7,64}(-dirty)?$/.test(given)) {
  process.stderr.write('PETSTORE_COMMIT must be the hash of a commit, as git rev-parse HEAD gives it.\n');
  process.exit(1);
}

const commit = given || commitOfClone();
rmSync(FILE, { force: true });
if (commit) {
  mkdirSync(join(PROJECT, 'dist'), { recursive: true });
  writeFileSync(FILE, `${JSON.stringify({ commit })}\n`);
}

function commitOfClone() {
  try {
    // A repository around the project has commits of something else.
    if (realpathSync(git('rev-parse', '--show-toplevel')) !== PROJECT) return undefined;
    return `${git('rev-parse', 'HEAD')}${git('status', '--porcelain') === '' ? '' : '-dirty'}`;
  } catch {
    return undefined;
  }
}

function git(...words) {
  return execFileSync('git', words, {
    cwd: PROJECT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}
