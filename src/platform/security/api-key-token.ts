import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'petk_';
// In ASCII order, so that base62 texts of one length compare as their values do.
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_BYTES = 32;
const SECRET_DIGITS = 43;
const CHECKSUM_DIGITS = 6;
const SIGNED_LENGTH = PREFIX.length + SECRET_DIGITS;
const TOKEN = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_DIGITS + CHECKSUM_DIGITS}}$`);
const LARGEST_SIGNED =
  PREFIX +
  encodeFixedBase62(
    Array.from({ length: SECRET_BYTES / 4 }, () => 2 ** 32 - 1),
    SECRET_DIGITS,
  );
const HINT_DIGITS = 4;

/** Creates the token of a new API key from 32 bytes of the system's cryptographic random source. */
export function createToken(): string {
  return tokenOfSecret(randomBytes(SECRET_BYTES));
}

/**
 * Returns the token that carries a secret: `petk_`, the secret as 43 base62 digits, and the CRC-32 (IEEE) of the ASCII before
 * it as 6. Base62 digits are `0-9A-Za-z`, big-endian, left-padded with `0`.
 *
 * @param secret 32 bytes.
 * @throws RangeError when the secret has another length.
 */
export function tokenOfSecret(secret: Buffer): string {
  if (secret.length !== SECRET_BYTES) {
    throw new RangeError(`A secret has ${SECRET_BYTES} bytes.`);
  }
  const words = Array.from({ length: SECRET_BYTES / 4 }, (_, i) => secret.readUInt32BE(i * 4));
  const signed = PREFIX + encodeFixedBase62(words, SECRET_DIGITS);
  return signed + checksum(signed);
}

/** Tells whether a text has the length and the letters of a token; does not check the checksum. */
export function looksLikeToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Tells whether {@link tokenOfSecret} could have written a text: a typo or a scan is refused without a query. */
export function isWellFormedToken(text: string): boolean {
  if (!looksLikeToken(text)) {
    return false;
  }
  const signed = text.slice(0, SIGNED_LENGTH);
  return signed <= LARGEST_SIGNED && text.slice(SIGNED_LENGTH) === checksum(signed);
}

/** Returns the stored form of a token: its SHA-256 as 64 lower-case hexadecimal digits. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/**
 * Returns a short form to recognise a token by: the first 4 digits of the secret and the last 4 of the checksum. At least 200
 * of the secret's 256 bits stay unknown to a person who sees it.
 */
export function tokenHint(token: string): string {
  return `${token.slice(0, PREFIX.length + HINT_DIGITS)}…${token.slice(-HINT_DIGITS)}`;
}

function checksum(signed: string): string {
  return encodeFixedBase62([crc32(signed)], CHECKSUM_DIGITS);
}

/** Writes an unsigned integer, given as big-endian 32-bit words, in base62 with leading zeros. */
function encodeFixedBase62(words: readonly number[], length: number): string {
  const quotient = [...words];
  let text = '';
  while (text.length < length) {
    let remainder = 0;
    quotient.forEach((word, i) => {
      const dividend = remainder * 2 ** 32 + word;
      quotient[i] = Math.floor(dividend / DIGITS.length);
      remainder = dividend % DIGITS.length;
    });
    text = DIGITS.charAt(remainder) + text;
  }
  return text;
}
