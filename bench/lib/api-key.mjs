import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const COUNTER_DIGITS = 8;

function base62(number, width) {
  let text = '';
  for (let rest = number; rest > 0; rest = Math.floor(rest / 62)) text = DIGITS[rest % 62] + text;
  return text.padStart(width, '0');
}

function base62OfBytes(bytes, width) {
  let text = '';
  for (let rest = BigInt(`0x${bytes.toString('hex')}`); rest > 0n; rest /= 62n) {
    text = DIGITS[Number(rest % 62n)] + text;
  }
  return text.padStart(width, '0');
}

const withChecksum = (body) => body + base62(crc32(body), 6);

/** Makes a well-formed API key from 32 random bytes: `petk_`, 43 base62 characters, 6 of CRC-32. */
export function makeApiKey() {
  return withChecksum(`petk_${base62OfBytes(randomBytes(32), 43)}`);
}

/** Gives well-formed keys of which no two are the same, fast enough to make one for each request under load. */
export function distinctApiKeys() {
  const stem = makeApiKey().slice(0, 'petk_'.length + 43 - COUNTER_DIGITS);
  let made = 0;
  return () => withChecksum(stem + base62(made++, COUNTER_DIGITS));
}
