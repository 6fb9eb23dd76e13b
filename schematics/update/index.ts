import type { Rule, Tree } from '@angular-devkit/schematics';
import { FEATURES } from '../feature/feature-list.ts';
import { inflect } from '../feature/names.ts';
import { recordPath } from '../feature/record.ts';
import { readSourcesWith } from '../text/sources.ts';
import { Refusal } from '../refusal.ts';
import { moveMigrations } from '../text/moved-migrations.ts';
import { planUpdate, together, type Update } from './plan.ts';
import { refuseUncommitted } from './uncommitted.ts';

/** What is asked for; see `schema.json`. */
export interface UpdateOptions {
  readonly name?: string;
  readonly dryRun?: boolean;
}

/**
 * Merges what the templates write by now into generated features. All is decided before anything is written. A conflict is
 * a warning: it is left to be settled by hand.
 */
export function update({ name, dryRun = false }: UpdateOptions): Rule {
  return async (tree, context) => {
    if (!tree.exists(FEATURES)) {
      throw new Refusal(`There is no ${FEATURES} here: run this in the folder of the project.`);
    }
    const folders = name === undefined ? recordedFolders(tree) : [folderOf(tree, name)];
    const sources = readSourcesWith(tree, ['@Entity(']);
    const updates: Update[] = [{ changes: moveMigrations(tree), remarks: [], conflicts: [] }];
    for (const folder of folders) updates.push(await planUpdate(folder, tree, sources, context));
    const { changes, remarks, conflicts } = together(updates);
    if (!dryRun && changes.size > 0) refuseUncommitted([...changes.keys()]);

    for (const [path, text] of changes) write(tree, path, text);
    for (const remark of remarks) context.logger.info(remark);
    for (const conflict of conflicts) context.logger.warn(conflict);
    if (changes.size === 0) context.logger.info('Nothing is to be updated.');
  };
}

/** The folders of all modules with a record. */
function recordedFolders(tree: Tree): string[] {
  const folders = tree.getDir('src').subdirs.map((name) => `src/${name}`);
  return folders.filter((folder) => tree.exists(recordPath(folder)));
}

/** The folder of a module, which may have been moved since it was generated. */
function folderOf(tree: Tree, name: string): string {
  const folders = [name, inflect(name)?.plural.kebab ?? name].map((folder) => `src/${folder}`);
  const recorded = folders.find((folder) => tree.exists(recordPath(folder)));
  if (recorded !== undefined) return recorded;
  const [first = '', own = first] = folders;
  if (tree.getDir(own).subfiles.length === 0) throw new Refusal(`There is no module ${own}.`);
  throw new Refusal(
    `There is no record of what was generated in ${own}: the command that generated it makes one when --record is added, and updates start from there.`,
  );
}

function write(tree: Tree, path: string, text: string | null): void {
  if (text === null) tree.delete(path);
  else if (tree.exists(path)) tree.overwrite(path, text);
  else tree.create(path, text);
}
