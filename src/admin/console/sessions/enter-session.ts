import type { Request } from 'express';
import type { ConsoleRequest } from '../console-request';
import { csrfTokenOf } from './csrf';
import { sessionToken } from './session-cookie';
import type { Sessions } from './sessions.service';

/**
 * Enters the session that the cookie of a request names.
 *
 * @returns whether a person is signed in
 */
export async function enterSession(
  consoleRequest: ConsoleRequest,
  request: Request,
  sessions: Sessions,
): Promise<boolean> {
  const token = sessionToken(request);
  const open = token === undefined ? undefined : await sessions.find(token, !consoleRequest.isBackground);
  if (!open || token === undefined) return false;
  consoleRequest.enter(open, csrfTokenOf(token));
  return true;
}
