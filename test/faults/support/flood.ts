/** Does something so many times, that many at once, and gives what each gave. */
export async function flood<T>(
  count: number,
  atOnce: number,
  ask: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const client = async () => {
    for (let index = next++; index < count; index = next++) results[index] = await ask(index);
  };
  await Promise.all(Array.from({ length: Math.min(count, atOnce) }, client));
  return results;
}
