import { isIPv4 } from 'node:net';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request } from 'express';
import { clientAddress } from '../../../platform/http/client-address';

/** A cookie that browsers send by encrypted connections only has a name that nothing else can set (RFC 6265bis, 4.1.3). */
const NAMES = { secure: '__Secure-petstore_admin', plain: 'petstore_admin' } as const;

const ATTRIBUTES = { path: '/admin', httpOnly: true, sameSite: 'strict' } as const;

/** The Set-Cookie field that gives a browser the token of its session. */
export function sessionCookie(request: Request, token: string): string {
  const secure = isSecure(request);
  return stringifySetCookie({ name: nameFor(secure), value: token, ...ATTRIBUTES, secure });
}

/** The Set-Cookie field that takes it away. */
export function endedSessionCookie(request: Request): string {
  const secure = isSecure(request);
  return stringifySetCookie({ name: nameFor(secure), value: '', ...ATTRIBUTES, secure, maxAge: 0 });
}

/** The token a browser sends; undefined when it sends none. */
export function sessionToken(request: Request): string | undefined {
  return parseCookie(request.headers.cookie ?? '')[nameFor(isSecure(request))];
}

/**
 * Whether the cookie is for encrypted connections only. Over loopback there is nothing to overhear, and no certificate
 * either.
 */
function isSecure(request: Request): boolean {
  return request.secure || !isLoopback(clientAddress(request));
}

/** Whether a browser will keep the cookie: it came by a connection nobody can listen to, as far as can be seen here. */
export function keepsSession(request: Request): boolean {
  return request.secure || isLoopback(clientAddress(request));
}

function isLoopback(address: string): boolean {
  return address === '::1' || (isIPv4(address) && address.startsWith('127.'));
}

function nameFor(secure: boolean): string {
  return secure ? NAMES.secure : NAMES.plain;
}
