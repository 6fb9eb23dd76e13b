import { existsSync, realpathSync } from 'node:fs';
import { packageFile } from './package-version';

/** Name of the script of this project's `package.json` that npm runs, and this process within it; undefined without npm. */
export function npmScript(): string | undefined {
  const { npm_lifecycle_event: script, npm_package_json: file = '' } = process.env;
  return existsSync(file) && realpathSync(file) === packageFile() ? script : undefined;
}
