import type { ExistingModule } from '../module/existing-module.ts';
import { Refusal } from '../refusal.ts';
import { capitalized, spell, wordsOf } from '../text/spelling.ts';

/** A field of a module that gets another name. */
export interface Rename {
  readonly module: ExistingModule;
  readonly from: string;
  readonly to: string;
}

const NAMES = /^\s*([A-Za-z]\w*)\s*->\s*([A-Za-z]\w*)\s*$/;

/** Reads `phone->telephone`. @throws Refusal */
export function readNames(text: string): { readonly from: string; readonly to: string } {
  const [, from, to] = NAMES.exec(text) ?? [];
  if (from === undefined || to === undefined) {
    throw new Refusal(
      `${JSON.stringify(text.trim())} does not say what is renamed: write both names, as in "phone->telephone".`,
    );
  }
  if (from === to) throw new Refusal(`The field ${from} has this name already.`);
  return { from, to };
}

/** The function of the service by which a patch has both names. */
export function patchFunction({ to }: Rename): string {
  return `withNamesOf${pascal(to)}`;
}

/** The method of the service that fills the new column. */
export function fillMethod({ to }: Rename): string {
  return `fill${pascal(to)}`;
}

/** The title of the test that both names are known. */
export function testTitle({ from, to }: Pick<Rename, 'from' | 'to'>): string {
  return `takes and gives ${from} under the name ${to}, too`;
}

function pascal(name: string): string {
  return capitalized(spell(wordsOf(name)).camel);
}
