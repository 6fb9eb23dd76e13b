import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

/** The path of this build's `package.json`. */
export function packageFile(): string {
  return findPackageJSON(pathToFileURL(__filename)) as string;
}

/** The version of this build, from its `package.json`. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(packageFile(), 'utf8')) as { version: string }).version;
}
