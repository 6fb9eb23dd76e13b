import { isIPv4 } from 'node:net';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request } from 'express';
import { clientAddress } from '../../../platform/security/client-address';

/** Before the name of a cookie that only encrypted connections can set, and get (RFC 6265bis, 4.1.3). */
const SECURE = '__Secure-';

const ATTRIBUTES = { path: '/admin', httpOnly: true, sameSite: 'strict' } as const;

/** The Set-Cookie field that gives a browser the token of its session. */
export function sessionCookie(request: Request, token: string): string {
  const secure = isSecure(request);
  return stringifySetCookie({ name: nameFor(request, secure), value: token, ...ATTRIBUTES, secure });
}

/** The Set-Cookie field that takes it away. */
export function endedSessionCookie(request: Request): string {
  const secure = isSecure(request);
  return stringifySetCookie({ name: nameFor(request, secure), value: '', ...ATTRIBUTES, secure, maxAge: 0 });
}

/** The token a browser sends; undefined when it sends none. */
export function sessionToken(request: Request): string | undefined {
  return parseCookie(request.headers.cookie ?? '')[nameFor(request, isSecure(request))];
}

/**
 * Whether the cookie is for encrypted connections only. Over loopback there is nothing to overhear, and no certificate
 * either.
 */
function isSecure(request: Request): boolean {
  return request.secure || !isLoopback(clientAddress(request));
}

/** Whether a browser will keep the cookie: the connection cannot be overheard, as far as the service can see. */
export function keepsSession(request: Request): boolean {
  return request.secure || isLoopback(clientAddress(request));
}

function isLoopback(address: string): boolean {
  return address === '::1' || (isIPv4(address) && address.startsWith('127.'));
}

/**
 * Named after the port the browser asked for, where it had to name one: browsers send a host's cookies to all of its ports
 * (RFC 6265, 8.5), and the console of another service there must not sign a person out of this one. Browsers reach all nodes
 * behind one address by one port, whatever port each node listens on.
 */
function nameFor({ headers }: Request, secure: boolean): string {
  const [, port] = /:(\d{1,5})$/.exec(headers.host ?? '') ?? [];
  return `${secure ? SECURE : ''}petstore_admin${port === undefined ? '' : `_${port}`}`;
}
