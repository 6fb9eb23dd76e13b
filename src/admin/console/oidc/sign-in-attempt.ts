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
/** Attempts that a browser may have under way, such as one in each of its tabs. */
const MAX_ATTEMPTS = 5;
/** Length limit of the cookie's value: browsers drop a cookie of more than 4,096 bytes with its name and attributes. */
const MAX_VALUE = 3_800;

/** Begins a sign-in. @returns the attempt, and the Set-Cookie field for the browser */
export function beginAttempt(request: Request, wanted: string | null): [SignInAttempt, cookie: string] {
  const secret = randomBytes(32).toString('base64url');
  const attempt = attemptOf(secret, wanted);
  return [attempt, cookieOf(request, [secret + attempt.returnPath, ...storedIn(request)])];
}

/** Finds the attempt of the browser to which a state belongs, if there is one. */
export function attemptOfBrowser(request: Request, state: string | null): SignInAttempt | undefined {
  return storedIn(request)
    .map(readStored)
    .find((attempt) => isSame(attempt.state, state ?? ''));
}

/** Builds the Set-Cookie field that removes an attempt from the browser. */
export function endedAttempt(request: Request, { state }: SignInAttempt): string {
  const others = storedIn(request).filter((stored) => readStored(stored).state !== state);
  return others.length === 0 ? endCookie(request, COOKIE) : cookieOf(request, others);
}

/** Builds the field with the newest attempts. No return path contains the space between them. */
function cookieOf(request: Request, stored: readonly string[]): string {
  const kept = stored.slice(0, MAX_ATTEMPTS);
  while (encodeURIComponent(kept.join(' ')).length > MAX_VALUE && kept.length > 1) kept.pop();
  return setCookie(request, COOKIE, kept.join(' '));
}

/** The attempts in the cookie, newest first, each as its secret and the page to return to. */
function storedIn(request: Request): string[] {
  const stored = (readCookie(request, COOKIE) ?? '').split(' ', MAX_ATTEMPTS);
  return stored.filter((each) => SECRET.test(each.slice(0, SECRET_LENGTH)));
}

function readStored(stored: string): SignInAttempt {
  return attemptOf(stored.slice(0, SECRET_LENGTH), stored.slice(SECRET_LENGTH));
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
