import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62(number, width) {
  let text = '';
  for (let rest = number; rest > 0n; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text;
  return text.padStart(width, '0');
}

/** Makes a well-formed API key from 32 random bytes: `petk_`, 43 base62 characters, 6 of CRC-32. */
export function makeApiKey() {
  const body = `petk_${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43)}`;
  return body + base62(BigInt(crc32(body)), 6);
}
