import type { Request } from 'express';
import { isWellFormedToken } from '../../../platform/security/api-key-token';
import { clientAddress } from '../../../platform/security/client-address';
import { NotAllowedError, NotSignedInError } from '../console.errors';
import { originOf, SIGN_IN_SCOPE } from './new-session';
import type { OpenSession, Operator, Sessions } from './sessions.service';

const BEARER = /^Bearer +(\S+)$/i;
const SESSION_TOKEN = /^[\w-]{43}$/;

/** Returns the token of the `Authorization` field; empty without one. */
function bearerToken(request: Request): string {
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

/** An operator at another machine. */
interface BearerOperator {
  readonly operator: Operator;
  /** Name of the person, if the OIDC provider tells it. */
  readonly personName?: string | undefined;
}

/**
 * Finds who sends a request: the person of a session, as {@link bearerSession} does, or a program with an API key.
 *
 * @throws NotSignedInError
 */
export async function bearerOperator(request: Request, sessions: Sessions): Promise<BearerOperator> {
  const token = bearerToken(request);
  if (!isWellFormedToken(token)) {
    const { session, operator } = await bearerSession(request, sessions);
    return { operator, personName: session.personName ?? undefined };
  }
  assertNoBrowser(request);
  const operator = await sessions.operatorOfKey(token, originOf(request));
  if (!operator) {
    throw new NotSignedInError(
      `The API key is not valid for the console: it has to be active, allowed for this address, and have the scope ${SIGN_IN_SCOPE}.`,
    );
  }
  // Nobody confirms what a program does.
  return { operator: { ...operator, scopes: new Set([SIGN_IN_SCOPE]) } };
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
