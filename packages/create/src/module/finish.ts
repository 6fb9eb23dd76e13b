import type { ByHand, Changes } from '../edit/changes.ts';
import { compileFaults } from '../feature/compile-check.ts';
import { Refusal } from '../refusal.ts';
import { formatted } from '../text/format.ts';
import { INDEX, indexWith } from './repository.ts';
import type { ExistingModule } from './existing-module.ts';

/** Files that a command writes, and its messages. */
export interface Plan {
  /** Texts by path, new files and changed ones. */
  readonly files: ReadonlyMap<string, string>;
  readonly byHand: readonly ByHand[];
  /** Message if there is nothing to write. */
  readonly unchanged: string;
}

/**
 * Formats the changes and compiles the module with them. A new file that does not compile is refused; an edited one, or one
 * that the changes reach, is left to be finished by hand.
 *
 * @param unchanged message if there is nothing to change
 * @throws Refusal
 */
export async function finish(
  changes: Changes,
  { sources }: Pick<ExistingModule, 'sources'>,
  unchanged: string,
): Promise<Plan> {
  const root = process.cwd();
  const files = await changes.texts(root);
  const index = indexWith(changes.tree, files);
  if (index !== undefined) files.set(INDEX, await formatted(root, INDEX, index));
  const byHand = [...changes.byHand];
  if (files.size > 0) {
    const there = sources.map(({ fileName }) => fileName);
    // A record may be among the files as well.
    const checked = [...new Set([...files.keys(), ...there])].filter((path) => path.endsWith('.ts'));
    for await (const { path, message } of compileFaults(root, files, checked)) {
      if (!there.includes(path)) {
        throw new Refusal(`The result would not compile: ${message}; nothing was written.`);
      }
      const isKnown = byHand.some((each) => each.path === path);
      if (!isKnown) byHand.push({ path, place: 'which no longer compiles', lines: [message] });
    }
  }
  return { files, byHand, unchanged };
}
