import { isIPv4 } from 'node:net';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request } from 'express';
import { clientAddress } from '../../platform/security/client-address';

/** A cookie of the console that scripts do not get. */
export interface ConsoleCookie {
  readonly name: string;
  /** Where it is sent, unless it is for encrypted connections only: those are sent everywhere. */
  readonly path: string;
  /** Lax, it comes along when a page elsewhere leads here; strict, it does not. */
  readonly sameSite: 'strict' | 'lax';
  /** How long browsers keep it, in seconds; until they are closed unless set. */
  readonly maxAge?: number;
}

/**
 * Before the name of a cookie that only encrypted connections can set, and get, and that no other host of the domain can set
 * (RFC 6265bis, 4.1.3). Browsers want the path `/` for it.
 */
const HOST = '__Host-';

/** The Set-Cookie field that gives a browser the cookie. */
export function setCookie(request: Request, { name, ...attributes }: ConsoleCookie, value: string): string {
  const secure = isSecure(request);
  const cookie = {
    ...attributes,
    name: nameFor(request, name, secure),
    value,
    secure,
    ...(secure && { path: '/' }),
  };
  return stringifySetCookie({ ...cookie, httpOnly: true });
}

/** The Set-Cookie field that takes it away. */
export function endCookie(request: Request, cookie: ConsoleCookie): string {
  return setCookie(request, { ...cookie, maxAge: 0 }, '');
}

/** The value a browser sends; undefined when it sends none. */
export function readCookie(request: Request, { name }: ConsoleCookie): string | undefined {
  return parseCookie(request.headers.cookie ?? '')[nameFor(request, name, isSecure(request))];
}

/**
 * Whether the cookie is for encrypted connections only. Over loopback there is nothing to overhear, and no certificate
 * either.
 */
function isSecure(request: Request): boolean {
  return request.secure || !isLoopback(clientAddress(request));
}

/** Whether a browser will keep the cookie: the connection cannot be overheard, as far as the service can see. */
export function keepsCookies(request: Request): boolean {
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
function nameFor({ headers }: Request, name: string, secure: boolean): string {
  const [, port] = /:(\d{1,5})$/.exec(headers.host ?? '') ?? [];
  return `${secure ? HOST : ''}${name}${port === undefined ? '' : `_${port}`}`;
}
