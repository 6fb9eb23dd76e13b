import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { makeFolder } from '../../support/folders';

const VERSIONS = { 'npm 10': '10.9.9', 'npm 11': '11.21.2' } as const;

/** A version of npm that people have. */
export type NpmVersion = keyof typeof VERSIONS;

/**
 * Installs the versions of npm that the service is started by into a folder of the test, from the registry that npm is configured
 * with.
 *
 * @returns the program of each
 * @throws Error when they cannot be had: these tests are never left out silently
 */
export function installNpmVersions(): (version: NpmVersion) => string {
  const cwd = makeFolder();
  const packages = Object.entries(VERSIONS).map(([name, version]) => `${folderOf(name)}@npm:npm@${version}`);
  const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--package-lock=false'];
  try {
    execFileSync('npm', ['install', ...options, ...packages], { cwd, stdio: 'pipe' });
  } catch (cause) {
    throw new Error('npm cannot install its versions 10 and 11 here.', { cause });
  }
  return (version) => join(cwd, 'node_modules', folderOf(version), 'bin', 'npm-cli.js');
}

function folderOf(version: string): string {
  return version.replace(' ', '-');
}
