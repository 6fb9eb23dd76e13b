import { hash, randomBytes } from 'node:crypto';
import type { Request } from 'express';
import type { Actor } from '../../../platform/security/actor';
import { clientAddress } from '../../../platform/security/client-address';
import { requestIdOf } from '../../../platform/tracing/request-id';
import type { AdminSession } from './admin-session.entity';

/** The scope that opens the console. */
export const SIGN_IN_SCOPE = 'admin:read';

/** The client from which a person signs in. */
export interface Origin {
  readonly address: string;
  readonly requestId: string;
  readonly userAgent: string;
}

const MAX_USER_AGENT = 300;

/** The client of a request to sign in. */
export function originOf(request: Request): Origin {
  return {
    address: clientAddress(request),
    requestId: requestIdOf(request),
    userAgent: request.get('user-agent') ?? '',
  };
}

/** The actor of a sign-in, for the audit log. */
export function actorFrom({ requestId, address }: Origin, name: string, personName?: string): Actor {
  return { name, personName, requestId, address };
}

/** The hash that is stored of a session's token. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'hex');
}

/** Creates a random token for a session. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Creates a session that begins now; without members about a provider it is that of an API key. */
export function newSession(
  token: string,
  { address, userAgent }: Origin,
  holder: Pick<AdminSession, 'actor' | 'lineageId'> & Partial<AdminSession>,
): AdminSession {
  const now = new Date();
  return {
    id: `ses_${randomBytes(8).toString('hex')}`,
    tokenHash: tokenHash(token),
    issuer: null,
    personName: null,
    scopes: null,
    providerSession: null,
    sealedTokens: null,
    checkedAt: now,
    checkBegunAt: now,
    createdAt: now,
    lastSeenAt: now,
    address,
    userAgent: userAgent.slice(0, MAX_USER_AGENT),
    notice: null,
    storedForm: null,
    ...holder,
  };
}
