import type { Person } from '../sessions/identity-provider';
import { SignInRefusedError } from '../sessions/identity-provider.errors';
import type { OidcSettings } from './oidc-settings';

/** The claims of an ID token or of a userinfo response. */
export type Claims = Readonly<Record<string, unknown>>;

/** Visible ASCII: subjects stand in the audit log and people search for them there (OpenID Connect Core, section 2). */
const SUBJECT = /^[\x21-\x7e]{1,255}$/;
const NAME_CLAIMS = ['name', 'preferred_username', 'email'];
const MAX_NAME = 200;

/** True if claims contain the name and the groups of a person: providers may leave either to the userinfo response. */
export function isWhole(claims: Claims, { groupsClaim }: OidcSettings): boolean {
  return claims[groupsClaim] !== undefined && NAME_CLAIMS.some((claim) => claims[claim] !== undefined);
}

/**
 * Reads the identity and the scopes of a person from claims.
 *
 * @throws SignInRefusedError if the claims lack them or cannot be read
 */
export function readPerson(claims: Claims, { groupsClaim, roles, name }: OidcSettings): Person {
  const { sub } = claims;
  if (typeof sub !== 'string' || !SUBJECT.test(sub)) throw new SignInRefusedError();
  const groups = claims[groupsClaim] ?? [];
  if (!Array.isArray(groups) || !groups.every((group) => typeof group === 'string')) {
    throw new SignInRefusedError(`Your groups could not be read from the response of ${name}.`);
  }
  const held = new Set(groups);
  const scopes = roles.filter(({ group }) => held.has(group)).flatMap((role) => role.scopes);
  return { subject: sub, name: nameIn(claims, sub), scopes: [...new Set(scopes)].sort() };
}

function nameIn(claims: Claims, subject: string): string {
  for (const claim of NAME_CLAIMS) {
    const value = claims[claim];
    // Control characters and characters that reverse the text could make one name look like another.
    const name = typeof value === 'string' ? value.replaceAll(/[\p{C}\u2028\u2029]/gu, '').trim() : '';
    if (name !== '') return name.slice(0, MAX_NAME);
  }
  return subject;
}
