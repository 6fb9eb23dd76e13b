import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { BadRequestError, InvalidPathError, UriTooLongError } from '../../errors/http-errors';

const MAX_TARGET_BYTES = 8_000;

/** A name, an IPv4 or bracketed IPv6 address, perhaps a port; an http URI has a host (RFC 9110, sections 4.2.1 and 7.2). */
const AUTHORITY = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._~!$&'()*+,;=%-]+)(:\d*)?$/;

/** A request target, split. */
export interface RequestTarget {
  /** Raw path, still percent-encoded. */
  readonly path: string;
  /** Raw query without the question mark; empty without a query. */
  readonly query: string;
}

/**
 * Reads the request target (RFC 9112, section 3.2); rewrites an absolute form to the origin form it stands for.
 *
 * @throws UriTooLongError, BadRequestError or InvalidPathError
 */
export function readTarget(request: IncomingMessage): RequestTarget {
  if ((request.url as string).length > MAX_TARGET_BYTES) throw new UriTooLongError();
  // A target has no fragment. Express would cut it off, and so route another path than the one judged here.
  if ((request.url as string).includes('#')) throw new BadRequestError();
  const absolute = /^https?:\/\/([^/?#]*)(.*)$/is.exec(request.url as string);
  if (absolute) {
    // The authority of an absolute target replaces the Host header (RFC 9112, section 3.2.2).
    request.headers.host = absolute[1];
    const rest = absolute[2] as string;
    request.url = rest.startsWith('/') ? rest : `/${rest}`;
  }
  const { host } = request.headers;
  if (host !== undefined && !AUTHORITY.test(host)) throw new BadRequestError();
  return split(request.url as string);
}

function split(target: string): RequestTarget {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  if (/[^\x21-\x7e]|%/.test(path)) assertDecodable(path);
  return { path, query: mark === -1 ? '' : target.slice(mark + 1) };
}

function assertDecodable(path: string): void {
  if (!isUtf8(Buffer.from(path, 'latin1'))) throw new InvalidPathError();
  try {
    decodeURIComponent(path);
  } catch {
    throw new InvalidPathError();
  }
}
