import { posix } from 'node:path';
import type { Tree } from '@angular-devkit/schematics';
import { MIGRATIONS } from './migration-time.ts';
import { pathsBelow } from './sources.ts';

/** Folder of the migrations before version 1.1.0. */
const FORMER = 'src/platform/database/migrations';

/** Matches an import of a file beside the former folder. */
const FORMER_IMPORT = /(?<= from ')\.\.\/(?=[\w-]+')/g;

/** The present path of a file that may have been in the former folder; both paths are relative to the folder of a module. */
export function movedPath(path: string): string {
  return path.replace(posix.relative('src/x', FORMER), posix.relative('src/x', MIGRATIONS));
}

/** The text of a migration, with imports for the present folder. */
export function movedText(text: string): string {
  return text.replaceAll(FORMER_IMPORT, '../platform/database/');
}

/**
 * Moves migrations out of the former folder, and mends the imports of those that git has moved.
 *
 * @returns texts by path, null for a file to be removed
 */
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
