import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILES = join(import.meta.dirname, 'files');
const SUFFIX = '.template';

/** The paths of the files of a service. */
export function templatePaths(): string[] {
  return readdirSync(FILES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(SUFFIX))
    .map((path) => path.slice(0, -SUFFIX.length).replaceAll('\\', '/'));
}

/** The template of a file of a service, by its path. */
export function readTemplate(path: string): string {
  return readFileSync(join(FILES, `${path}${SUFFIX}`), 'utf8');
}
