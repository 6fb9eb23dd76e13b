import { posix } from 'node:path';
import type { SchematicContext, Tree } from '@angular-devkit/schematics';
import type ts from 'typescript';
import { FEATURES, hasFeatureLine } from '../feature/feature-list.ts';
import { formatted } from '../text/format.ts';
import { MIGRATIONS } from '../text/migration-time.ts';
import { readRecord, recordOf, recordPath, recordText } from '../feature/record.ts';
import { INDEX, isRepository } from '../module/repository.ts';
import { renderNew } from '../new-feature/render.ts';
import { pathsBelow } from '../text/sources.ts';
import { mergeTexts, unixText } from './merge-texts.ts';

/** Changes of an update to a module, or to one of its files. */
export interface Update {
  /** Texts by path; null for a file to be removed. */
  readonly changes: ReadonlyMap<string, string | null>;
  /** Notes for the person who runs the update. */
  readonly remarks: readonly string[];
  /** Conflicts that are left to be settled. */
  readonly conflicts: readonly string[];
}

/** A file in up to three versions; a missing one is undefined. */
interface File {
  readonly path: string;
  readonly ours: string | undefined;
  readonly base: string | undefined;
  readonly theirs: string | undefined;
}

/**
 * Decides the changes of an update to a module: each file is merged from its recorded, its present and its newly generated
 * text.
 *
 * @param folder folder of the module and its record
 * @throws Refusal
 */
export async function planUpdate(
  folder: string,
  tree: Tree,
  sources: readonly ts.SourceFile[],
  context: SchematicContext,
): Promise<Update> {
  const root = process.cwd();
  const record = readRecord(tree, folder);
  // The recorded time of the module's own migration counts, wherever that file is now.
  const migrations = [...pathsBelow(tree, MIGRATIONS), ...record.files.keys()];
  const rendered = await renderNew(record.options, tree, sources, migrations, context);
  const next = recordOf(record.options, rendered);

  const updates: Update[] = [];
  for (const name of [...new Set([...record.files.keys(), ...next.files.keys()])].sort()) {
    const path = posix.join(folder, name);
    const ours = tree.exists(path) ? tree.readText(path) : undefined;
    const file = { path, ours, base: record.files.get(name), theirs: next.files.get(name) };
    if (file.base !== file.theirs) updates.push(await planFile(root, file));
  }
  if (updates.length > 0) {
    updates.push(changed(recordPath(folder), await recordText(root, folder, next)));
    const list = isRepository(tree) ? INDEX : FEATURES;
    if (!hasFeatureLine(tree.readText(list), posix.basename(folder))) {
      updates.push(remarked(`${list} does not list ${folder} and was not changed.`));
    }
  }
  return together(updates);
}

/** Merges several updates into one. */
export function together(updates: readonly Update[]): Update {
  return {
    changes: new Map(updates.flatMap(({ changes }) => [...changes])),
    remarks: updates.flatMap(({ remarks }) => remarks),
    conflicts: updates.flatMap(({ conflicts }) => conflicts),
  };
}

/** The update of a file for which the output of the templates has changed. */
function planFile(root: string, file: File): Update | Promise<Update> {
  const { path, ours, base, theirs } = file;
  if (path.startsWith(`${MIGRATIONS}/`)) {
    return remarked(
      `${path} was kept, because it may have run: the changes of its template need a new migration (docs/schema-changes.md).`,
    );
  }
  if (theirs === undefined) return planRemoval(file);
  if (ours !== undefined) return planMerge(root, path, { ours, base, theirs });
  return base === undefined
    ? changed(path, theirs)
    : remarked(`${path} was deleted and was not restored, although its template has changed.`);
}

function planRemoval({ path, ours, base = '' }: File): Update {
  if (ours === undefined) return together([]);
  if (unixText(ours) === unixText(base)) return changed(path, null);
  return remarked(`${path} was edited and was kept, although the templates no longer have it.`);
}

async function planMerge(
  root: string,
  path: string,
  {
    ours,
    base = '',
    theirs,
  }: { readonly ours: string; readonly base?: string | undefined; readonly theirs: string },
): Promise<Update> {
  // The present text may have been formatted by other rules since; the newly generated one follows those of today.
  const isEdited = unixText(ours) !== unixText(base);
  const { text, conflicts } = mergeTexts({
    ours,
    base: isEdited ? await formatted(root, path, base) : base,
    theirs,
  });
  return {
    changes: new Map(text === ours ? [] : [[path, text]]),
    remarks: isEdited && conflicts === 0 && text !== ours ? [`${path} keeps its edits.`] : [],
    conflicts: conflicts > 0 ? [conflictIn(path, conflicts)] : [],
  };
}

function conflictIn(path: string, count: number): string {
  const places = count === 1 ? 'one place is' : `${count} places are`;
  return `CONFLICT in ${path}: ${places} marked with <<<<<<< and >>>>>>>.`;
}

function changed(path: string, text: string | null): Update {
  return { changes: new Map([[path, text]]), remarks: [], conflicts: [] };
}

function remarked(sentence: string): Update {
  return { changes: new Map(), remarks: [sentence], conflicts: [] };
}
