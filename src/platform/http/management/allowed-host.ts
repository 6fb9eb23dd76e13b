import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Settings } from '../../config/settings';
import { AppError } from '../../errors/app-error';

/** The management port was asked by a name that is not one of its own. Its clients are not those of the documented interface. */
export class MisdirectedRequest extends AppError {
  readonly code = 'misdirected_request';
  readonly status = 421;
  readonly headers = {};

  constructor() {
    super(
      'The management port is not served under this name; use an address or localhost, or name it in MANAGEMENT_ALLOWED_HOSTS.',
    );
  }
}

/**
 * Refuses names that the operator has not allowed: a page elsewhere can point a name of its own at the management port (DNS
 * rebinding), and its scripts would be of one origin with the pages of that port. An address cannot be pointed anywhere, and a
 * client that names no host, as HTTP/1.0 allows, is no browser.
 *
 * @throws MisdirectedRequest
 */
export function assertAllowedHost(
  { headers: { host } }: IncomingMessage,
  { managementAllowedHosts, managementHost, consoleOrigin }: Settings,
): void {
  if (host === undefined) return;
  const name = hostName(host);
  if (isIP(name) !== 0 || name === 'localhost' || name === managementHost.toLowerCase()) return;
  if (managementAllowedHosts.some((allowed) => allowed.toLowerCase() === name)) return;
  if (consoleOrigin !== undefined && new URL(consoleOrigin).hostname === name) return;
  throw new MisdirectedRequest();
}

/**
 * True if a request names the host of the console's origin, and that is one of HTTPS: the browser's connection is encrypted,
 * whether or not the proxy in between is trusted to say so.
 */
export function isOfEncryptedConsole(
  { headers: { host = '' } }: IncomingMessage,
  { consoleOrigin }: Settings,
): boolean {
  if (consoleOrigin === undefined) return false;
  const origin = new URL(consoleOrigin);
  return origin.protocol === 'https:' && URL.parse(`https://${host}`)?.host === origin.host;
}

/** A Host field without port and brackets, in lower case. */
function hostName(host: string): string {
  const [, inBrackets, plain = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host) ?? [];
  return (inBrackets ?? plain).toLowerCase();
}
