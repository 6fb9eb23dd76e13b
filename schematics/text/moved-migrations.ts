import { posix } from 'node:path';
import type { Tree } from '@angular-devkit/schematics';
import { MIGRATIONS } from './migration-time.ts';
import { pathsBelow } from './sources.ts';

/** Where migrations were before version 1.1.0. */
const FORMER = 'src/platform/database/migrations';

/** An import of a file beside the former folder. */
const FORMER_IMPORT = /(?<= from ')\.\.\/(?=[\w-]+')/g;

/** The place of a file that may have been in the former folder, by its path from the folder of a module. */
export function movedPath(path: string): string {
  return path.replace(posix.relative('src/x', FORMER), posix.relative('src/x', MIGRATIONS));
}

/** The text of a migration with imports that hold in the present folder. */
export function movedText(text: string): string {
  return text.replaceAll(FORMER_IMPORT, '../platform/database/');
}

/** Texts by path, null for a file that goes, that take migrations out of the former folder and mend the imports of those that git has moved. */
export function moveMigrations(tree: Tree): Map<string, string | null> {
  const changes = new Map<string, string | null>();
  for (const path of [...pathsBelow(tree, FORMER), ...pathsBelow(tree, MIGRATIONS)]) {
    const text = tree.readText(path);
    const target = path.replace(FORMER, MIGRATIONS);
    if (target !== path) changes.set(path, null);
    if (target !== path || movedText(text) !== text) changes.set(target, movedText(text));
  }
  return changes;
}
