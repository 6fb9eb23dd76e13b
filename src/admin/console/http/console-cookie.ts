import { isIPv4 } from 'node:net';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request } from 'express';
import { clientAddress } from '../../../platform/security/client-address';

/** A cookie of the console that scripts cannot read. */
export interface ConsoleCookie {
  readonly name: string;
  /** Path to which browsers send the cookie. One for encrypted connections only is sent to every path. */
  readonly path: string;
  /** `lax`: sent also when a page of another site links here; `strict`: not sent then. */
  readonly sameSite: 'strict' | 'lax';
  /** Lifetime in seconds; until the browser is closed by default. */
  readonly maxAge?: number;
}

/**
 * Prefix of a cookie that only encrypted connections can set and receive, and that no other host of the domain can set (RFC
 * 6265bis, 4.1.3). Browsers require the path `/` for it.
 */
const HOST = '__Host-';

/** Builds the Set-Cookie field that stores the cookie in a browser. */
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

/** Builds the Set-Cookie field that removes the cookie. */
export function endCookie(request: Request, cookie: ConsoleCookie): string {
  return setCookie(request, { ...cookie, maxAge: 0 }, '');
}

/** Reads the value that the browser sent, if any. */
export function readCookie(request: Request, { name }: ConsoleCookie): string | undefined {
  return parseCookie(request.headers.cookie ?? '')[nameFor(request, name, isSecure(request))];
}

/** True if the cookie is for encrypted connections only. Over loopback nobody can eavesdrop, and there is no certificate. */
function isSecure(request: Request): boolean {
  return isEncrypted(request) || !isLoopback(clientAddress(request));
}

/** True if a browser will keep the cookie: nobody can eavesdrop on the connection, as far as the service can see. */
export function keepsCookies(request: Request): boolean {
  return isEncrypted(request) || isLoopback(clientAddress(request));
}

function isEncrypted(request: Request): boolean {
  return request.secure || request.exchange.isOfEncryptedConsole;
}

function isLoopback(address: string): boolean {
  return address === '::1' || (isIPv4(address) && address.startsWith('127.'));
}

/**
 * Names the cookie after the port in the Host field, if there is one: browsers send the cookies of a host to all of its ports
 * (RFC 6265, 8.5), and the console of another service there must not sign a person out of this one. Browsers reach all nodes
 * behind one address by one port, whatever port each node listens on.
 */
function nameFor({ headers }: Request, name: string, secure: boolean): string {
  const [, port] = /:(\d{1,5})$/.exec(headers.host ?? '') ?? [];
  return `${secure ? HOST : ''}${name}${port === undefined ? '' : `_${port}`}`;
}
