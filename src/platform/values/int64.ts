/** The smallest int64, -2^63. */
export const INT64_MIN = -(2n ** 63n);
/** The largest int64, 2^63 - 1. */
export const INT64_MAX = 2n ** 63n - 1n;

const MAX_DIGITS = INT64_MAX.toString().length;
const PLAIN_DECIMAL = /^(?:0|-?[1-9][0-9]*)$/;
/** A number as JSON writes it (RFC 8259, section 6). */
export const JSON_NUMBER = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;
const ZERO = 48;

/**
 * Reads an int64 in plain decimal: `0`, or an optional minus sign and digits that do not begin with zero.
 *
 * @returns undefined for any other text (`-0`, `+1`, `01`, `1.0`, spaces) and for integers outside int64.
 */
export function parseDecimalInt64(text: string): bigint | undefined {
  // BigInt() takes more than linear time in the digits: a number that cannot fit must not reach it.
  if (text.length > MAX_DIGITS + 1 || !PLAIN_DECIMAL.test(text)) {
    return undefined;
  }
  return withinInt64(BigInt(text));
}

/**
 * Returns the integer that a JSON number (RFC 8259, section 6) denotes, decided on its digits: a double cannot tell
 * 9007199254740992.5 from 9007199254740992, nor 1e-400 from 0. Takes linear time, whatever the exponent.
 *
 * @param source the text of the number as it stands in the JSON.
 * @returns undefined when the number has a fractional part or lies outside int64, or the text is not a JSON number.
 */
export function integerOfJsonLiteral(source: string): bigint | undefined {
  const plain = parseDecimalInt64(source);
  if (plain !== undefined) {
    return plain;
  }
  const match = JSON_NUMBER.exec(source);
  if (match === null) {
    return undefined;
  }
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  let start = 0;
  while (digits.charCodeAt(start) === ZERO) {
    start++;
  }
  if (start === digits.length) {
    return 0n;
  }
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === ZERO) {
    end--;
  }
  // The number is digits[start, end) times 10^scale. An exponent too long for a double's exact range, infinite
  // ones included, is far beyond what the length of any string could offset, so rounding it changes no response.
  const scale = Number(exponent) - fraction.length + (digits.length - end);
  if (scale < 0 || end - start + scale > MAX_DIGITS) {
    return undefined;
  }
  return withinInt64(BigInt(sign + digits.slice(start, end) + '0'.repeat(scale)));
}

function withinInt64(value: bigint): bigint | undefined {
  return value >= INT64_MIN && value <= INT64_MAX ? value : undefined;
}
