import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
  const locked = Object.entries(packages).filter(
    ([path]) => path.startsWith('node_modules/') && !path.startsWith('node_modules/@petstore/'),
  );
  const manifest = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as object;
  const seeded = { ...lock, packages: { '': manifest, ...Object.fromEntries(locked) } };
  writeFileSync(join(target, 'package-lock.json'), JSON.stringify(seeded));
  // npm adds the two packed files, and removes what neither needs.
  const options = ['--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', ['install', ...options], {
    cwd: target,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
}
