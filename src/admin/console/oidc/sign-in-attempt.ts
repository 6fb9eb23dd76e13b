import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { type ConsoleCookie, endCookie, readCookie, setCookie } from '../console-cookie';
import { readReturnPath } from '../return-path';

/**
 * A sign-in that a browser has begun. The browser has a random secret of it in a cookie. All that ties the response of the
 * provider to this browser is derived from the secret, so nothing is stored here.
 */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  /** The code verifier of PKCE (RFC 7636). */
  readonly verifier: string;
  /** The page that is wanted. */
  readonly returnPath: string;
}

const COOKIE: ConsoleCookie = {
  name: 'petstore_sign_in',
  path: '/admin/sign-in/oidc',
  // Strict, it would not come along when the provider leads the browser back.
  sameSite: 'lax',
  // How long a person may take at the provider.
  maxAge: 600,
};
const SECRET_LENGTH = 43;
const SECRET = /^[\w-]{43}$/;

/** Begins one. @returns it, and the Set-Cookie field for the browser */
export function beginAttempt(request: Request, wanted: string | null): [SignInAttempt, cookie: string] {
  const secret = randomBytes(32).toString('base64url');
  const attempt = attemptOf(secret, wanted);
  return [attempt, setCookie(request, COOKIE, secret + attempt.returnPath)];
}

/** The one that the browser has begun last; undefined when there is none, or when the state is not of this one. */
export function attemptOfBrowser(request: Request, state: string | null): SignInAttempt | undefined {
  const value = readCookie(request, COOKIE) ?? '';
  const secret = value.slice(0, SECRET_LENGTH);
  if (!SECRET.test(secret)) return undefined;
  const attempt = attemptOf(secret, value.slice(SECRET_LENGTH));
  return isSame(attempt.state, state ?? '') ? attempt : undefined;
}

/** The Set-Cookie field that takes it from the browser. */
export function endedAttempt(request: Request): string {
  return endCookie(request, COOKIE);
}

function attemptOf(secret: string, wanted: string | null): SignInAttempt {
  const derived = (purpose: string) => hash('sha256', `${purpose} ${secret}`, 'base64url');
  return {
    state: derived('state'),
    nonce: derived('nonce'),
    verifier: derived('verifier'),
    returnPath: readReturnPath(wanted),
  };
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
