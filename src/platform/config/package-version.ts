import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** File that `tools/commit.mjs` writes beside compiled code; the sources do not have it. */
const COMMIT_FILE = join(__dirname, '..', '..', '..', 'commit.json');

/** Returns the path of this build's `package.json`. */
export function packageFile(): string {
  return findPackageJSON(pathToFileURL(__filename)) as string;
}

/** Returns the version of this build, from its `package.json`. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(packageFile(), 'utf8')) as { version: string }).version;
}

/** Returns the commit of this build if it was known, followed by `-dirty` when files had changed since. */
export function buildCommit(): string | undefined {
  if (!existsSync(COMMIT_FILE)) return undefined;
  return (JSON.parse(readFileSync(COMMIT_FILE, 'utf8')) as { commit: string }).commit;
}

/** Returns version and commit for people, such as `1.1.0 (commit 0a1b2c3…)`. */
export function buildName(): string {
  return nameBuild(packageVersion(), buildCommit());
}

/** Does the same as {@link buildName} for another build. */
export function nameBuild(version: string, commit: string | undefined): string {
  return commit === undefined ? version : `${version} (commit ${commit})`;
}
