import type { IncomingMessage } from 'node:http';

/**
 * Tells whether a request has a header field more than once, where Node keeps the first and drops the others silently.
 * `headersDistinct` knows too, but sorts all fields anew.
 *
 * @param name in small letters
 */
export function isRepeated({ rawHeaders }: IncomingMessage, name: string): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const field = rawHeaders[i] as string;
    if (field.length === name.length && field.toLowerCase() === name) count++;
  }
  return count > 1;
}
