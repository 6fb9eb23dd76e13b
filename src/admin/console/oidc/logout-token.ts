import type { JWTPayload } from 'jose';
import type { ProviderLogout } from '../sessions/identity-provider';
import type { Claims } from './person';

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/**
 * Reads a token whose signature, issuer, audience and times are valid (OpenID Connect Back-Channel Logout 1.0, section 2.6).
 *
 * @throws Error if it is not a logout token
 */
export function logoutOf({ jti, sub, sid, nonce, events }: JWTPayload): ProviderLogout {
  const event: unknown = (events as Claims | null | undefined)?.[LOGOUT_EVENT];
  if (typeof event !== 'object' || event === null || nonce !== undefined)
    throw new Error('It is not a logout token.');
  if (!isName(jti)) throw new Error('Its jti is not a string.');
  // A claim that cannot be read must not count as missing: more sessions would end than the provider meant.
  if (sub !== undefined && !isName(sub)) throw new Error('Its sub is not a string.');
  if (sid !== undefined && !isName(sid)) throw new Error('Its sid is not a string.');
  if (sub === undefined && sid === undefined) throw new Error('It names neither a person nor a session.');
  return { id: jti, subject: sub, providerSession: sid };
}

/** Checks the type of a claim: issuers sign anything, and the types of jose are only those of the standard. */
function isName(claim: unknown): claim is string {
  return typeof claim === 'string' && claim !== '';
}
