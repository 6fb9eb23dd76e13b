import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

/** The version of this build, from its `package.json`. */
export function packageVersion(): string {
  const file = findPackageJSON(pathToFileURL(__filename)) as string;
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
