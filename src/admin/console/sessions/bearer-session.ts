import type { Request } from 'express';
import { clientAddress } from '../../../platform/security/client-address';
import { NotAllowedError, NotSignedInError } from '../console.errors';
import type { OpenSession, Sessions } from './sessions.service';

const BEARER = /^Bearer +(\S+)$/i;
const SESSION_TOKEN = /^[\w-]{43}$/;

/** Returns the token of the `Authorization` field; empty without one. */
export function bearerToken(request: Request): string {
  return BEARER.exec(request.get('authorization') ?? '')?.[1] ?? '';
}

/**
 * Finds the session whose token a command line sends with a request.
 *
 * @returns the session, its operator, and the token
 * @throws NotSignedInError if there is no token, or its session has ended
 */
export async function bearerSession(
  request: Request,
  sessions: Sessions,
): Promise<OpenSession & { readonly token: string }> {
  assertNoBrowser(request);
  const token = bearerToken(request);
  const open = SESSION_TOKEN.test(token) ? await sessions.find(token, clientAddress(request)) : undefined;
  if (!open) throw new NotSignedInError('You are not signed in, or your session has ended.');
  return { ...open, token };
}

/**
 * Refuses requests of pages: browsers name the page's origin or site with every request that is not a plain visit, and a plain
 * visit carries neither JSON nor a bearer token.
 *
 * @throws NotAllowedError
 */
export function assertNoBrowser(request: Request): void {
  if (request.get('origin') !== undefined || request.get('sec-fetch-site') !== undefined) {
    throw new NotAllowedError('This is for the command line, not for browsers.');
  }
}
