/** Yields the items of a list in batches of a size, in their order; the last may have fewer. */
export function* batchesOf<T>(items: readonly T[], size: number): Generator<T[], void, undefined> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
