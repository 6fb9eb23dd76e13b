import type { IncomingMessage } from 'node:http';
import { InvalidIdempotencyKeyError } from '../../errors/http-errors';

/** The string of RFC 9651, section 3.3.3, which draft-ietf-httpapi-idempotency-key-header-07 asks for; without spaces. */
const QUOTED = String.raw`"(?:[!#-\[\]-~]|\\["\\]){1,255}"`;

/** Schema of the field: 1 to 255 visible ASCII characters, bare or in quotes, where a backslash may stand before two of them. */
export const IDEMPOTENCY_KEY_SCHEMA = {
  type: 'string',
  minLength: 1,
  maxLength: 512,
  pattern: `^(?:(?!""$)[!-~]{1,255}|${QUOTED})$`,
} as const;

const VALID = new RegExp(IDEMPOTENCY_KEY_SCHEMA.pattern);
const IN_QUOTES = new RegExp(`^${QUOTED}$`);

/**
 * Reads the Idempotency-Key field of a request. The quoted and the bare form of a key are the same key.
 *
 * @returns undefined without the field
 * @throws InvalidIdempotencyKeyError
 */
export function readIdempotencyKey(request: IncomingMessage): string | undefined {
  // Most requests have none, and headersDistinct sorts all their fields anew.
  if (request.headers['idempotency-key'] === undefined) return undefined;
  const [field = '', ...others] = request.headersDistinct['idempotency-key'] ?? [];
  const key = field.trim();
  if (others.length > 0 || !VALID.test(key)) throw new InvalidIdempotencyKeyError();
  return IN_QUOTES.test(key) ? key.slice(1, -1).replaceAll(/\\(.)/g, '$1') : key;
}
