import { hash, randomBytes } from 'node:crypto';

/** A secret for {@link bucketOf}; they all have one length. */
export function createBucketSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Which of 65,536 buckets a text belongs to, as a decimal number. What is in one bucket shares a budget: so a flood from
 * any number of addresses takes a bounded amount of memory (about 30 MB a policy), and no store learns an address.
 *
 * @param secret without it no client can find an address that shares the bucket of another client
 */
export function bucketOf(text: string, secret: string): string {
  // HMAC would take seven times as long. What it protects beyond this, a whole hash that is known, never leaves here.
  return String(Number.parseInt(hash('sha256', secret + text, 'hex').slice(0, 4), 16));
}
