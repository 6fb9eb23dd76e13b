import { type AppError, defineError } from '../errors/app-error';

/** The protection space of RFC 9110, section 11.5. */
const REALM = 'Bearer realm="petstore"';

export const UnauthorizedError = defineError({
  code: 'unauthorized',
  status: 401,
  message: 'An API key is required: send it as "Authorization: Bearer <API key>".',
  headers: { 'WWW-Authenticate': REALM },
});

/** One constant response for every refused key, so that nothing tells a guessed key from an expired one. */
export const InvalidApiKeyError = defineError({
  code: 'invalid_api_key',
  status: 401,
  message: 'The API key is not valid.',
  headers: {
    'WWW-Authenticate': `${REALM}, error="invalid_token", error_description="The API key is not valid"`,
  },
});

export const InsufficientScopeError = defineError({
  code: 'insufficient_scope',
  status: 403,
  message:
    'The API key does not cover this operation; the WWW-Authenticate header names the scopes of this operation.',
});

export const AddressNotAllowedError = defineError({
  code: 'address_not_allowed',
  status: 403,
  message: 'The API key may not be used from the address of this client.',
});

/** The caller is known, but has not what tells whose rows are its own. */
export const NoOwnerError = defineError({
  code: 'no_owner',
  status: 403,
  message: 'The API key has no owner, so nothing here can belong to it: ask whoever gave you the key.',
});

/** Returns the 403 of RFC 6750, section 3.1, with the scopes that the operation needs. */
export function insufficientScope(required: readonly string[]): AppError {
  return new InsufficientScopeError({
    headers: { 'WWW-Authenticate': `${REALM}, error="insufficient_scope", scope="${required.join(' ')}"` },
  });
}
