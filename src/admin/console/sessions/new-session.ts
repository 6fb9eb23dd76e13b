import { hash, randomBytes } from 'node:crypto';
import type { Request } from 'express';
import type { Actor } from '../../../platform/audit/actor';
import { clientAddress } from '../../../platform/security/client-address';
import { requestIdOf } from '../../../platform/tracing/request-id';
import type { AdminSession } from './admin-session.entity';

/** The scope that opens the console. */
export const SIGN_IN_SCOPE = 'admin:read';

/** Where a person signs in from. */
export interface Origin {
  readonly address: string;
  readonly requestId: string;
  readonly userAgent: string;
}

const MAX_USER_AGENT = 300;

/** Where a request to sign in comes from. */
export function originOf(request: Request): Origin {
  return {
    address: clientAddress(request),
    requestId: requestIdOf(request),
    userAgent: request.get('user-agent') ?? '',
  };
}

/** Who signs in, as the audit log is to name them. */
export function actorFrom({ requestId, address }: Origin, name: string, personName?: string): Actor {
  return { name, personName, requestId, address };
}

/** What is stored of the token of a session. */
export function hashOf(token: string): string {
  return hash('sha256', token, 'hex');
}

/** A token for a session. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** A session that begins now; of the owner of an API key, where nothing is said of a provider. */
export function newSession(
  token: string,
  { address, userAgent }: Origin,
  holder: Pick<AdminSession, 'actor' | 'lineageId'> & Partial<AdminSession>,
): AdminSession {
  const now = new Date();
  return {
    id: `ses_${randomBytes(8).toString('hex')}`,
    tokenHash: hashOf(token),
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
