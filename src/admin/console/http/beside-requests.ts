import { wait } from '../../../platform/values/wait';

/**
 * Yields the parts of a long download, and after each of them leaves the event loop to requests for as long as the part has taken:
 * clients and operators get at least half of it.
 */
export async function* besideRequests<Part>(
  parts: AsyncIterable<Part>,
): AsyncGenerator<Part, void, undefined> {
  let begun = performance.now();
  for await (const part of parts) {
    const taken = performance.now() - begun;
    yield part;
    await wait(Math.ceil(taken));
    begun = performance.now();
  }
}
