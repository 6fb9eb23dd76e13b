import fc from 'fast-check';

/** Digits of a decimal: all of them, and those behind the point. */
export interface DecimalDigits {
  readonly precision: number;
  readonly scale: number;
}

/** Limits on values, as texts. */
export interface Limits {
  readonly min: string | undefined;
  readonly max: string | undefined;
  readonly pattern: string | undefined;
}

/** Runs for the texts of a pattern; the seed makes them the same each time. */
const PATTERN_RUNS = { numRuns: 500, seed: 20_301_205 };

const INT32 = 2n ** 31n;
const INT64 = 2n ** 63n;
/** A number as JSON writes it (RFC 8259, section 6). */
export const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Tells whether a text is an integer of 32 bits. */
export function isInt32(text: string): boolean {
  return isInteger(text, INT32);
}

/** Tells whether a text is an integer of 64 bits. */
export function isInt64(text: string): boolean {
  return isInteger(text, INT64);
}

/** Tells whether a text is a number within the range of a double. */
export function isDouble(text: string): boolean {
  return JSON_NUMBER.test(text) && Number.isFinite(Number(text));
}

/** Tells whether a text is a decimal of so many digits at most. */
export function isDecimal(text: string, digits: DecimalDigits | undefined): boolean {
  if (digits === undefined) return false;
  const { precision, scale } = digits;
  const [, whole, fraction = ''] = /^-?(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text) ?? [];
  return (
    whole !== undefined && fraction.length <= scale && (whole === '0' || whole.length <= precision - scale)
  );
}

function isInteger(text: string, bound: bigint): boolean {
  return /^-?(0|[1-9]\d{0,18})$/.test(text) && BigInt(text) >= -bound && BigInt(text) < bound;
}

const WORDS = ['some', 'other', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

/** Texts of the numbers' words, or some that match the pattern. */
export function texts(numbers: readonly number[], { min, max, pattern }: Limits): string[] {
  if (pattern !== undefined) return matches(pattern);
  return numbers.map((number) => {
    const word = `${WORDS[number] ?? `text ${number}`} text`;
    const text =
      Number(max ?? word.length) < word.length ? `${String.fromCodePoint(97 + number)}bcdefghij` : word;
    return text
      .padEnd(Number(min ?? 0), ' and more')
      .slice(0, Number(max ?? Infinity))
      .replace(/ $/, 's');
  });
}

/** Texts that match, the plainest first. */
function matches(pattern: string): string[] {
  const found = fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), PATTERN_RUNS);
  const plain = found.filter((text) => /^[\x20-\x7e]+$/.test(text) && text === text.trim());
  const oddities = (text: string) => text.length + 5 * text.replaceAll(/[A-Za-z0-9-]/g, '').length;
  return plain.sort((a, b) => oddities(a) - oddities(b));
}

/** The first numbers or, if these are beyond the limits, numbers at a limit. */
export function integers(numbers: readonly number[], { min, max }: Limits): string[] {
  const low = Number(min ?? Number(max ?? 0) - numbers.length + 1);
  return [...numbers.map((number) => String(number + 1)), ...numbers.map((number) => String(low + number))];
}

/** Numbers with all digits behind the point, the least ones too. */
export function decimals(numbers: readonly number[], limits: Limits, digits?: DecimalDigits): string[] {
  const scale = digits?.scale ?? 0;
  const least = numbers.map((number) => number / 10 ** scale);
  return [...doubles(numbers, limits), ...least].map((number) => Number(number).toFixed(scale));
}

/** Numbers and a half or, if these are beyond the limits, numbers between the limits. */
export function doubles(numbers: readonly number[], { min, max }: Limits): string[] {
  const low = Number(min ?? Number(max ?? 0) - numbers.length);
  const step = Math.min(1, (Number(max ?? Infinity) - low) / numbers.length);
  return [
    ...numbers.map((number) => String(number + 1.5)),
    ...numbers.map((number) => String(low + number * step)),
  ];
}
