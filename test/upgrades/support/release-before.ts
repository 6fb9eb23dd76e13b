import { exec, execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '../../support/folders';

const PROJECT = join(__dirname, '..', '..', '..');

/** The release before this one, and the commit it was made of. */
export const RELEASE_BEFORE = { version: '1.2.0', commit: '38a7772ca0c401545f78bfec64e478480d6638b5' };

/**
 * Builds the release before this one, with its own packages, from the history of git.
 *
 * @returns its folder
 * @throws Error when the history does not reach back to it: what runs beside this version would be another one
 */
export async function buildReleaseBefore(): Promise<string> {
  const { version, commit } = RELEASE_BEFORE;
  const archive = takeFromHistory(commit);
  if (!archive) {
    throw new Error(
      `The history of git does not have ${commit}, of which ${version} is built: fetch all of it, by "git fetch --unshallow".`,
    );
  }
  const folder = join(makeFolder(), 'petstore');
  mkdirSync(folder);
  execFileSync('tar', ['--extract'], { cwd: folder, input: archive });
  const env = {
    ...process.env,
    PATH: `${join(folder, 'node_modules', '.bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
    npm_config_prefer_offline: 'true',
  };
  const commands = 'npm ci --no-audit --no-fund --loglevel=error && npm run -s build';
  await promisify(exec)(commands, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 });
  return folder;
}

function takeFromHistory(commit: string): Buffer | undefined {
  try {
    return execFileSync('git', ['archive', commit], {
      cwd: PROJECT,
      maxBuffer: 256 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
}
