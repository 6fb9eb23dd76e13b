import type { IncomingMessage } from 'node:http';
import accepts from 'accepts';
import { NotAcceptableError } from '../errors/http-errors';

const OFFERED = ['application/json', 'application/json; charset=utf-8'];

/**
 * Whether the client takes JSON (RFC 9110, section 12.5.1).
 *
 * @throws NotAcceptableError
 */
export function assertAcceptsJson(request: IncomingMessage): void {
  const { accept } = request.headers;
  if (accept === undefined || accept === '' || accept === '*/*' || accept === 'application/json') return;
  if (!accepts(request).type(OFFERED)) throw new NotAcceptableError();
}
