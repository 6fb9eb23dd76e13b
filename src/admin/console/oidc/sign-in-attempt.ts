import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { type ConsoleCookie, endCookie, readCookie, setCookie } from '../http/console-cookie';
import { readReturnPath } from '../http/return-path';
import type { SignInAttempt } from '../sessions/identity-provider';

const COOKIE: ConsoleCookie = {
  name: 'petstore_sign_in',
  path: '/admin/sign-in/oidc',
  // With `strict`, browsers would not send it when the provider sends them back.
  sameSite: 'lax',
  // Time that a person may take at the provider.
  maxAge: 600,
};
const SECRET_LENGTH = 43;
const SECRET = /^[\w-]{43}$/;

/** Begins a sign-in. @returns the attempt, and the Set-Cookie field for the browser */
export function beginAttempt(request: Request, wanted: string | null): [SignInAttempt, cookie: string] {
  const secret = randomBytes(32).toString('base64url');
  const attempt = attemptOf(secret, wanted);
  return [attempt, setCookie(request, COOKIE, secret + attempt.returnPath)];
}

/** Reads the last attempt of the browser; undefined without one, or if the state belongs to another attempt. */
export function attemptOfBrowser(request: Request, state: string | null): SignInAttempt | undefined {
  const value = readCookie(request, COOKIE) ?? '';
  const secret = value.slice(0, SECRET_LENGTH);
  if (!SECRET.test(secret)) return undefined;
  const attempt = attemptOf(secret, value.slice(SECRET_LENGTH));
  return isSame(attempt.state, state ?? '') ? attempt : undefined;
}

/** Builds the Set-Cookie field that removes the attempt from the browser. */
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
