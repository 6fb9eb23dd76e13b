/**
 * Writes the ids of many records as a short text, `1..500,502..1001`. Ids assigned together are consecutive, unless another
 * transaction takes one in between.
 */
export function idRanges(ids: readonly bigint[]): string {
  const ranges: [first: bigint, last: bigint][] = [];
  for (const id of ids.toSorted((a, b) => (a < b ? -1 : 1))) {
    const range = ranges.at(-1);
    if (range?.[1] === id - 1n) range[1] = id;
    else ranges.push([id, id]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}..${last}`)).join();
}

/** The ids in a text from {@link idRanges}, ascending. */
export function idsIn(ranges: string): bigint[] {
  if (ranges === '') return [];
  return ranges.split(',').flatMap((range) => {
    const [first = 0n, last = first] = range.split('..').map(BigInt);
    return Array.from({ length: Number(last - first) + 1 }, (_, index) => first + BigInt(index));
  });
}
