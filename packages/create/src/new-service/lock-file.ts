import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs of npm after which a lock file is taken as it is: the third is the first that changes nothing. */
const MOST_RUNS = 5;

interface Lock {
  readonly packages: Readonly<Record<string, object>>;
}

/**
 * Writes the lock file of a service: its packages have the versions that are locked, and tested, here.
 *
 * @param root the folder of this project
 * @param target the folder of the service, which has its `package.json` and the packed files
 */
export function lockFile(root: string, target: string): void {
  const { packages, ...lock } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const locked = Object.entries(packages)
    .filter(([path]) => path.startsWith('node_modules/') && !path.startsWith('node_modules/@petstore/'))
    // npm notes it of a package that is compiled only when it has seen its files, and would change the file then.
    .map(([path, entry]): [string, object] =>
      existsSync(join(root, path, 'binding.gyp'))
        ? [path, { ...entry, hasInstallScript: true }]
        : [path, entry],
    );
  const manifest = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as object;
  const seeded = { ...lock, packages: { '': manifest, ...Object.fromEntries(locked) } };
  const file = join(target, 'package-lock.json');
  writeFileSync(file, JSON.stringify(seeded));
  // npm adds the two packed files, and removes what neither needs. Not all of it at once: the next run would change the file.
  const options = ['--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  for (let before = '', runs = 0; runs < MOST_RUNS; runs += 1) {
    execFileSync('npm', ['install', ...options], {
      cwd: target,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    });
    const after = readFileSync(file, 'utf8');
    if (after === before) return;
    before = after;
  }
}
