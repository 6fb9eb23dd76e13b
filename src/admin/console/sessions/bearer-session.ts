import type { Request } from 'express';
import { clientAddress } from '../../../platform/security/client-address';
import { NotAllowedError, NotSignedInError } from '../console.errors';
import type { OpenSession, Sessions } from './sessions.service';

const BEARER = /^Bearer +([\w-]{43})$/i;

/**
 * The session whose token a command line sends with a request, and the token.
 *
 * @throws NotSignedInError when there is none, or it is over
 */
export async function bearerSession(
  request: Request,
  sessions: Sessions,
): Promise<OpenSession & { readonly token: string }> {
  assertNoBrowser(request);
  const [, token = ''] = BEARER.exec(request.get('authorization') ?? '') ?? [];
  const open = token === '' ? undefined : await sessions.find(token, clientAddress(request));
  if (!open) throw new NotSignedInError('You are not signed in, or your session has ended.');
  return { ...open, token };
}

/**
 * Refuses what a page sends: browsers name the page's origin or site with each request that is not a plain visit, and a plain visit
 * brings no JSON and no bearer token.
 *
 * @throws NotAllowedError
 */
export function assertNoBrowser(request: Request): void {
  if (request.get('origin') !== undefined || request.get('sec-fetch-site') !== undefined) {
    throw new NotAllowedError('This is for the command line, not for browsers.');
  }
}
