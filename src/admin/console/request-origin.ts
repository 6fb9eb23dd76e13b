import { isIP } from 'node:net';
import type { Request } from 'express';
import { ConsoleRefusal } from './console-refusal';

/**
 * Refuses names nobody has allowed: a page elsewhere can point a name of its own at this port (DNS rebinding), and its
 * scripts would be of one origin with the console then. An address cannot be pointed anywhere.
 *
 * @param allowed as MANAGEMENT_ALLOWED_HOSTS
 * @throws ConsoleRefusal
 */
export function assertAllowedHost(request: Request, allowed: readonly string[]): void {
  const name = hostName(request.headers.host ?? '');
  if (isIP(name) !== 0 || name === 'localhost') return;
  if (allowed.some((host) => host.toLowerCase() === name)) return;
  throw new ConsoleRefusal(
    421,
    'The console is not served under this name. Use an address or localhost, or name it in MANAGEMENT_ALLOWED_HOSTS.',
  );
}

/**
 * Refuses a change that a page of another origin asks for, as the browser says (Fetch Metadata, and Origin where that is
 * missing).
 *
 * @throws ConsoleRefusal
 */
export function assertSameOrigin(request: Request): void {
  const site = request.get('sec-fetch-site');
  const origin = request.get('origin');
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
  // Which scheme the browser used is not known behind a proxy; the host says enough.
  const isElsewhere = origin !== undefined && URL.parse(origin)?.host !== request.headers.host?.toLowerCase();
  if (isForeign || isElsewhere) {
    throw new ConsoleRefusal(403, 'The form was sent by a page of another site, so nothing was changed.');
  }
}

/** Whether the browser says that a page of the console itself sent a change. @see assertSameOrigin, which refuses the others */
export function isSentByOwnPage(request: Request): boolean {
  return request.get('sec-fetch-site') === 'same-origin' || request.get('origin') !== undefined;
}

/** A Host field without port and brackets, in lower case. */
function hostName(host: string): string {
  const [, inBrackets, plain = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host) ?? [];
  return (inBrackets ?? plain).toLowerCase();
}
