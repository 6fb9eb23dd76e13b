import { hash, timingSafeEqual } from 'node:crypto';

/** Name of the hidden field with the token against forged forms. */
export const CSRF_FIELD = '_csrf';
/** Header field that may carry the token instead. */
export const CSRF_HEADER = 'x-csrf-token';

/** The token in every form of a session. Only the browser that has the session's own token can know it. */
export function csrfTokenOf(token: string): string {
  return hash('sha256', `csrf ${token}`, 'base64url');
}

/** Compares tokens in constant time. */
export function isCsrfToken(token: string, given: string): boolean {
  const expected = Buffer.from(csrfTokenOf(token));
  const actual = Buffer.from(given);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
