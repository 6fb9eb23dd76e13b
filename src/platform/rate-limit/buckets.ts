import { hash, randomBytes } from 'node:crypto';

/** Creates a secret for {@link bucketOf}; all of them have the same length. */
export function createBucketSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Returns the bucket of a text, one of 65,536, as a decimal number. The texts of a bucket share a budget: so a flood from any
 * number of addresses takes a bounded amount of memory (about 30 MB a policy), and no store learns an address.
 *
 * @param secret without it no client can find an address that shares the bucket of another client
 */
export function bucketOf(text: string, secret: string): string {
  // HMAC would take seven times as long. It would also protect a whole hash that is known, but no whole hash leaves here.
  return String(Number.parseInt(hash('sha256', secret + text, 'hex').slice(0, 4), 16));
}
