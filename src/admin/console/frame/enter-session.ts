import type { Request } from 'express';
import { clientAddress } from '../../../platform/security/client-address';
import type { ConsoleRequest } from '../http/console-request';
import { csrfTokenOf } from '../sessions/csrf';
import { sessionToken } from '../http/session-cookie';
import type { Sessions } from '../sessions/sessions.service';

/**
 * Enters the session of the request's cookie.
 *
 * @returns true if a person is signed in
 */
export async function enterSession(
  consoleRequest: ConsoleRequest,
  request: Request,
  sessions: Sessions,
): Promise<boolean> {
  const token = sessionToken(request);
  if (token === undefined) return false;
  const open = await sessions.find(token, clientAddress(request), !consoleRequest.isBackground);
  if (!open) return false;
  consoleRequest.enter(open, csrfTokenOf(token));
  request.exchange.hasSession = true;
  return true;
}
