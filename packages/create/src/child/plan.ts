import type { SchematicContext, Tree } from '@angular-devkit/schematics';
import { Changes } from '../edit/changes.ts';
import { methodIn } from '../edit/classes.ts';
import { MIGRATIONS } from '../text/migration-time.ts';
import { listsWith, refuseToRecord } from '../new-feature/plan.ts';
import { recordOf, recordPath, recordText } from '../feature/record.ts';
import { parse, pathsBelow, readSourcesWith } from '../text/sources.ts';
import { refuseLongSqlNames, refuseTakenUses } from '../feature/taken.ts';
import { usesOf } from '../feature/uses.ts';
import { classOf, type ExistingModule, readModule } from '../module/existing-module.ts';
import { finish, type Plan } from '../module/finish.ts';
import { Refusal } from '../refusal.ts';
import { renderChild } from './render.ts';

/** Options of the schematic; see `schema.json`. */
export interface ChildOptions {
  /** The existing module. */
  readonly name: string;
  /** Name of the children. The Nest CLI gives its third argument this name. */
  readonly path?: string;
  readonly fields?: string;
  readonly operations?: string;
  /** True to write only the record, for a child that has none. */
  readonly record?: boolean;
}

/**
 * Decides the changes for a nested collection: a module of its own, with paths below those of another.
 *
 * @throws Refusal
 */
export async function planChild(options: ChildOptions, tree: Tree, context: SchematicContext): Promise<Plan> {
  const { name: parent, path: name = '', fields, operations, record: onlyRecord = false } = options;
  refuseParent(readModule(tree, parent));
  const rendered = await renderChild(
    { parent, name, fields, operations },
    tree,
    pathsBelow(tree, MIGRATIONS),
    context,
  );
  const { folder, files, child } = rendered;
  const isThere = pathsBelow(tree, folder).length > 0;
  if (onlyRecord) refuseToRecord(tree, folder);
  else if (isThere) refuseDifferences(files, tree, folder);
  else refuseTaken(files, tree);
  const changes = new Changes(tree);
  if (!isThere) for (const [path, text] of files) changes.create(path, text);
  if (!tree.exists(recordPath(folder))) {
    const record = recordOf({ name, path: fields, operations, parent }, rendered);
    changes.create(recordPath(folder), await recordText(process.cwd(), folder, record));
  }
  if (!onlyRecord) {
    for (const [path, text] of listsWith(tree, files, child.names)) changes.create(path, text);
  }
  const unchanged = `${child.parent.plural.kebab} already have ${child.names.plural.kebab}: nothing was changed.`;
  return finish(changes, { sources: [] }, unchanged);
}

/** @throws Refusal when a child could not ask whether its parent exists */
function refuseParent(parent: ExistingModule): void {
  const { plural, singular } = parent;
  const service = classOf(parent, `${plural.pascal}Service`);
  if (!service || !methodIn(service.node, 'get')) {
    throw new Refusal(
      `${plural.pascal}Service needs a method get(id), by which a child finds its ${singular.words}.`,
    );
  }
}

function refuseDifferences(texts: ReadonlyMap<string, string>, tree: Tree, folder: string): void {
  for (const [path, text] of texts) {
    if (!tree.exists(path) || tree.readText(path) !== text) {
      throw new Refusal(
        `The folder ${folder} already exists, and ${path} differs from what these options would generate.`,
      );
    }
  }
}

function refuseTaken(texts: ReadonlyMap<string, string>, tree: Tree): void {
  const files = [...texts].map(([path, text]) => parse(path, text));
  refuseLongSqlNames(files);
  const wanted = files.flatMap(usesOf);
  refuseTakenUses(
    wanted,
    readSourcesWith(
      tree,
      wanted.map(({ text }) => text),
    ),
  );
}
