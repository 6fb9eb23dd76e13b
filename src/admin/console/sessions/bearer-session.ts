import type { Request } from 'express';
import { NotAllowedError, NotSignedInError } from '../console.errors';
import { originOf, SIGN_IN_SCOPE } from './new-session';
import type { Operator, Sessions } from './sessions.service';

const BEARER = /^Bearer +(\S+)$/i;

/**
 * Finds the operator of the API key that a program sends with a request.
 *
 * @throws NotSignedInError, or NotAllowedError for a page of a browser
 */
export async function bearerOperator(request: Request, sessions: Sessions): Promise<Operator> {
  // Browsers name the page's origin or site with every request that is not a plain visit, and a plain visit has no bearer token.
  if (request.get('origin') !== undefined || request.get('sec-fetch-site') !== undefined) {
    throw new NotAllowedError('This is for programs, not for browsers.');
  }
  const token = BEARER.exec(request.get('authorization') ?? '')?.[1] ?? '';
  const operator = await sessions.operatorOfKey(token, originOf(request));
  if (!operator) {
    throw new NotSignedInError(
      `The API key is not valid for the console: it has to be active, allowed for this address, and have the scope ${SIGN_IN_SCOPE}.`,
    );
  }
  return operator;
}
