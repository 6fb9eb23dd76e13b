import type { Kind } from './kind';
import { limitsInWords } from './numbers';

/** Limits on the length of a text, in characters of Unicode, and a regular expression that it matches, as in JSON Schema. */
export interface TextLimits {
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: string | undefined;
}

/** Rule for every text, whatever its length. */
export const TEXT_RULE = 'must be a string of well-formed Unicode without U+0000';

/** Well-formed Unicode text without U+0000, which PostgreSQL cannot store. */
export const textKind = {
  rule: (limits) => {
    const { minLength, maxLength, pattern } = limits;
    const length = limitsInWords(minLength, maxLength);
    const expression = pattern === undefined ? undefined : new RegExp(pattern, 'u');
    return {
      schema: { type: 'string', minLength, maxLength, pattern },
      isValid: (value) =>
        typeof value === 'string' &&
        isStorableText(value) &&
        hasLength(value, limits) &&
        (expression?.test(value) ?? true),
      sentence: `${TEXT_RULE}${length && `, ${length} characters`}${pattern === undefined ? '' : `, that matches ${pattern}`}`,
    };
  },
  fromText: (text) => (text.includes('\0') ? undefined : text),
  column: { word: 'text', type: 'text', sqlite: 'text', postgres: 'text' },
  // Browsers send every line end as CRLF.
  control: { canonical: (typed) => typed.replaceAll(/\r\n?/g, '\n') },
} as const satisfies Kind<TextLimits>;

/** Tells whether every engine can store a text: PostgreSQL takes no U+0000. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Returns a text that every engine can store, for what is kept of others' texts: U+FFFD stands for what cannot be stored. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

function hasLength(text: string, { minLength = 0, maxLength = Infinity }: TextLimits): boolean {
  // A character is one or two UTF-16 units, so characters are counted only if that decides.
  if (text.length / 2 >= minLength && text.length <= maxLength) return true;
  if (text.length < minLength || text.length / 2 > maxLength) return false;
  const { length } = Array.from(text);
  return length >= minLength && length <= maxLength;
}
