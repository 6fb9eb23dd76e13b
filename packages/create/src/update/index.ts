import type { Rule, Tree } from '@angular-devkit/schematics';
import { FEATURES } from '../feature/feature-list.ts';
import { inflect } from '../feature/names.ts';
import { recordPath } from '../feature/record.ts';
import { Refusal } from '../refusal.ts';
import { planUpdate, together, type Update } from './plan.ts';
import { refuseUncommitted } from './uncommitted.ts';
import { isRepository } from '../module/repository.ts';
import { entitySources } from '../module/pets.ts';

/** Options of the schematic; see `schema.json`. */
export interface UpdateOptions {
  readonly name?: string;
  readonly dryRun?: boolean;
}

/**
 * Merges the present output of the templates into generated features. Everything is decided before anything is written. A
 * conflict is a warning: it is left to be settled by hand.
 */
export function update({ name, dryRun = false }: UpdateOptions): Rule {
  return async (tree, context) => {
    if (!tree.exists(FEATURES) && !isRepository(tree)) {
      throw new Refusal(`There is no ${FEATURES} here: run this in the folder of the project.`);
    }
    const folders = name === undefined ? recordedFolders(tree) : [folderOf(tree, name)];
    const sources = entitySources(tree);
    const updates: Update[] = [];
    for (const folder of folders) {
      if (!tree.exists(recordPath(folder))) {
        throw new Refusal(
          `${folder} has no record of what was generated, which updates start from. Write one with the command that generated it and --record.`,
        );
      }
      updates.push(await planUpdate(folder, tree, sources, context));
    }
    const { changes, remarks, conflicts } = together(updates);
    if (!dryRun && changes.size > 0) refuseUncommitted([...changes.keys()]);

    for (const [path, text] of changes) write(tree, path, text);
    for (const remark of remarks) context.logger.info(remark);
    for (const conflict of conflicts) context.logger.warn(conflict);
    if (changes.size === 0) context.logger.info('Everything is up to date.');
  };
}

/** The folders of the modules that have a record. */
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
  const present = folders.find((folder) => tree.getDir(folder).subfiles.length > 0);
  if (present === undefined) throw new Refusal(`The module ${own} does not exist.`);
  return present;
}

function write(tree: Tree, path: string, text: string | null): void {
  if (text === null) tree.delete(path);
  else if (tree.exists(path)) tree.overwrite(path, text);
  else tree.create(path, text);
}
