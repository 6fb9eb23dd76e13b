import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

let file = findPackageJSON(pathToFileURL(__filename)) as string;
let folder = join(__dirname, '..', '..');

/**
 * Makes another service the one that runs on this platform.
 *
 * @param entry its first file: the version is that of its package, and its folder has entities and migrations
 */
export function rememberService(entry: string): void {
  file = findPackageJSON(pathToFileURL(entry)) ?? file;
  folder = dirname(entry);
}

/** Returns the folder of the service's code: `src`, or what the compiler has made of it. */
export function serviceFolder(): string {
  return folder;
}

/** Returns the path of the service's `package.json`. */
export function packageFile(): string {
  return file;
}

/** Returns the path of the file that `tools/commit.mjs` writes into the build; the sources beside a build have none. */
function commitFile(): string | undefined {
  const build = join(dirname(file), 'dist');
  return `${folder}${sep}`.startsWith(build + sep) ? join(build, 'commit.json') : undefined;
}

/** Returns the version of this build, from its `package.json`. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(packageFile(), 'utf8')) as { version: string }).version;
}

/** Returns the commit of this build if it was known, followed by `-dirty` when files had changed since. */
export function buildCommit(): string | undefined {
  const written = commitFile();
  if (written === undefined || !existsSync(written)) return undefined;
  return (JSON.parse(readFileSync(written, 'utf8')) as { commit: string }).commit;
}

/** Returns version and commit for people, such as `1.2.0 (commit 0a1b2c3…)`. */
export function buildName(): string {
  return nameBuild(packageVersion(), buildCommit());
}

/** Does the same as {@link buildName} for another build. */
export function nameBuild(version: string, commit: string | undefined): string {
  return commit === undefined ? version : `${version} (commit ${commit})`;
}
