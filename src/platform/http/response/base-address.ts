import type { IncomingMessage } from 'node:http';
import { BASE_PATH } from '../../values/operation-path';

/**
 * The base address the client used, ending in the version segment: the configured one, or one made of the request's own
 * host. HTTP/1.0 allows no Host; then it is the address the request arrived at.
 */
export function baseAddress(request: IncomingMessage, configured: string | undefined): string {
  if (configured) return configured;
  const { localAddress = '', localPort } = request.socket;
  const local = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return `http://${request.headers.host || `${local}:${localPort}`}${BASE_PATH}`;
}
