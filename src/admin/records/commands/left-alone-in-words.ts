import type { LeftAlone } from '../record-change';

/** Most records left alone that are named. */
export const NAMED = 1_000;

/**
 * Sentences on the records that a change of many left alone.
 *
 * @param done what was not done to them, such as `removed`
 * @param leftAlone those that are named, of which no more than {@link NAMED} are
 * @param count all of them
 */
export function leftAloneInWords(
  done: string,
  leftAlone: readonly LeftAlone[],
  count = leftAlone.length,
): string[] {
  const named = leftAlone.slice(0, NAMED);
  const since = (['changed', 'removed'] as const).flatMap((because) => {
    const ids = named.filter((each) => each.because === because).map(({ id }) => id);
    return ids.length > 0 ? [`Not ${done}, because ${because} since then: ${ids.join(', ')}.`] : [];
  });
  const refused = named
    .filter(({ because }) => because === 'refused')
    .map(({ id, reason = '' }) => `Not ${done}: ${id}. ${reason}`);
  const more = count - named.length;
  return [...since, ...refused, ...(more > 0 ? [`Not ${done}: ${more.toLocaleString('en')} more.`] : [])];
}
