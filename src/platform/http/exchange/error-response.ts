import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { endTogether, hasEnded } from './end-together';
import { exchangeOf } from './exchange';
import { requestIdOf } from '../../tracing/request-id';
import type { AppError } from '../../errors/app-error';
import { closeAfterResponse } from './lingering-close';

/** The header fields of an error response, without Content-Length and Date. */
function errorHeaders(error: AppError, requestId: string): Record<string, string> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...error.headers,
  };
}

/**
 * Writes the whole response for an error. Fields set on the response before, and those that every response of the request has,
 * stay unless the error sets the same. HEAD gets the fields that GET would get; Node leaves the body out. Of two errors of one
 * request the first is sent.
 *
 * A response that has been begun and not ended cannot be corrected: the connection is destroyed, so that the client does not take
 * a part for the whole.
 */
export function sendError(request: IncomingMessage, response: ServerResponse, error: AppError): void {
  if (hasEnded(response)) {
    return;
  }
  if (response.headersSent) {
    request.socket.destroy();
    return;
  }
  const exchange = exchangeOf(request);
  if (exchange) exchange.error = error;
  const body = JSON.stringify(error.toBody());
  const headers = { ...exchange?.responseFields, ...errorHeaders(error, requestIdOf(request)) };
  headers['Content-Length'] = String(Buffer.byteLength(body));
  response.writeHead(error.status, headers);
  if (!response.shouldKeepAlive || headers['Connection'] === 'close') {
    closeAfterResponse(request.socket);
  }
  endTogether(response, body);
}

/** The bytes of an error response for a connection that has no response object; it says `Connection: close`. */
export function errorMessage(error: AppError, requestId: string, withBody: boolean): string {
  const body = JSON.stringify(error.toBody());
  const headers = {
    Date: new Date().toUTCString(),
    ...errorHeaders(error, requestId),
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const statusLine = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n`;
  return `${statusLine}${fields.join('')}\r\n${withBody ? body : ''}`;
}
