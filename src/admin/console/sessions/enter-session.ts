import type { Request } from 'express';
import type { Visit } from '../visit';
import { csrfTokenOf } from './csrf';
import { sessionToken } from './session-cookie';
import type { Sessions } from './sessions.service';

/**
 * Makes a visit one of the person its cookie signs in.
 *
 * @returns whether a person is signed in
 */
export async function enterSession(visit: Visit, request: Request, sessions: Sessions): Promise<boolean> {
  const token = sessionToken(request);
  const open = token === undefined ? undefined : await sessions.find(token, !visit.isBackground);
  if (!open || token === undefined) return false;
  visit.enter(open, csrfTokenOf(token));
  return true;
}
