/**
 * The index of the first period to draw: an axis is never longer than the history.
 *
 * @param counts numbers by period, oldest first
 * @param total the number over all time; if some of it is older than the periods, all of them are drawn
 */
export function firstOf(counts: readonly number[], total: number): number {
  const sum = counts.reduce((before, count) => before + count, 0);
  return sum < total
    ? 0
    : Math.max(
        0,
        counts.findIndex((count) => count > 0),
      );
}
