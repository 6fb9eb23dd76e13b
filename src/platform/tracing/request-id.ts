import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const requestId = Symbol('requestId');

/** Ids accepted from clients: long enough for every common id, too plain to forge a log line with. */
const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * Returns the id of a request: its `X-Request-Id` when that is 1 to 128 characters of `[A-Za-z0-9._-]`, otherwise a new UUID.
 * The same request always gets the same id.
 */
export function requestIdOf(request: IncomingMessage & { [requestId]?: string }): string {
  return (request[requestId] ??= acceptedId(request) ?? randomUUID());
}

function acceptedId(request: IncomingMessage): string | undefined {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && ACCEPTED.test(sent) ? sent : undefined;
}
