import leven from 'leven';
import { otherVariables } from './load-settings';
import type { Settings } from './settings';

/** A variable that no setting is read from, although its name resembles the name of a setting. */
export interface MisspeltName {
  readonly name: string;
  /** The variable that the operator probably meant. */
  readonly meant: string;
}

/** Most letters by which a name may differ from a longer and from a short one: `HOME` is not a misspelt `HOST`. */
const MOST = 3;
const LETTERS_PER_MISTAKE = 5;

/**
 * Returns the variables with a value whose names resemble one that settings are read from. Others are left alone: an environment
 * has many variables for other programs.
 *
 * @param settings those of the features too
 */
export function misspeltNames(settings: Settings): MisspeltName[] {
  const { others, known } = otherVariables(settings);
  return others.flatMap((name) => {
    const spelled = name.toUpperCase().replaceAll('-', '_');
    const most = Math.min(MOST, Math.max(1, Math.floor(spelled.length / LETTERS_PER_MISTAKE)));
    const [nearest] = known
      .map((meant) => ({ meant, mistakes: leven(spelled, meant) }))
      .filter(({ mistakes }) => mistakes <= most)
      .sort((a, b) => a.mistakes - b.mistakes);
    return nearest ? [{ name, meant: nearest.meant }] : [];
  });
}

/** Says that a name is misspelt. Never has the value: the operator may have meant a secret. */
export function misspeltInWords({ name, meant }: MisspeltName): string {
  return `${name} has no effect, because no setting has this name. Did you mean ${meant}?`;
}
