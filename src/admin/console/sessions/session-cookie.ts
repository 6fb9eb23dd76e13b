import type { Request } from 'express';
import { type ConsoleCookie, endCookie, readCookie, setCookie } from '../console-cookie';

const COOKIE: ConsoleCookie = { name: 'petstore_admin', path: '/admin', sameSite: 'strict' };

/** The Set-Cookie field that gives a browser the token of its session. */
export function sessionCookie(request: Request, token: string): string {
  return setCookie(request, COOKIE, token);
}

/** The Set-Cookie field that takes it away. */
export function endedSessionCookie(request: Request): string {
  return endCookie(request, COOKIE);
}

/** The token a browser sends; undefined when it sends none. */
export function sessionToken(request: Request): string | undefined {
  return readCookie(request, COOKIE);
}
