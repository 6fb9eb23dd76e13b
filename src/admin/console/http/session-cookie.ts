import type { Request } from 'express';
import { type ConsoleCookie, endCookie, readCookie, setCookie } from './console-cookie';

const COOKIE: ConsoleCookie = { name: 'petstore_admin', path: '/admin', sameSite: 'strict' };

/** Builds the Set-Cookie field that gives a browser the token of its session. */
export function sessionCookie(request: Request, token: string): string {
  return setCookie(request, COOKIE, token);
}

/** Builds the Set-Cookie field that removes the token from the browser. */
export function endedSessionCookie(request: Request): string {
  return endCookie(request, COOKIE);
}

/** Reads the token that a browser sends, if any. */
export function sessionToken(request: Request): string | undefined {
  return readCookie(request, COOKIE);
}
