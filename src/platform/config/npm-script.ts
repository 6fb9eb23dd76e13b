import { existsSync, realpathSync } from 'node:fs';
import { packageFile } from './package-version';

/** Returns the name of this project's npm script that this process runs in; undefined without npm or for another project. */
export function npmScript(): string | undefined {
  const { npm_lifecycle_event: script, npm_package_json: file = '' } = process.env;
  return existsSync(file) && realpathSync(file) === packageFile() ? script : undefined;
}
