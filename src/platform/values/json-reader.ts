import { parse } from 'lossless-json';
import { InvalidJsonError } from '../errors/http-errors';
import { integerOfJsonLiteral } from './int64';

/** Most levels of arrays and objects inside each other; the outermost counts. */
export const MAX_JSON_DEPTH = 32;

/** Strips one leading byte order mark and throws on malformed UTF-8. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads one JSON value (RFC 8259) strictly: well-formed UTF-8 with at most one leading byte order mark, nothing after the
 * value, at most {@link MAX_JSON_DEPTH} nested arrays and objects, no repeated member name within an object.
 *
 * A number that is an integer within int64 is read as a `bigint`, exactly; every other number stays a `number`. So `typeof`
 * tells them apart, and a double that was rounded to an integer is never taken for one. A member named `__proto__` is a member
 * like any other.
 *
 * @param what the text, as the subject of a sentence about it
 * @throws InvalidJsonError with a sentence for each cause, never with a part of the text
 */
export function readJson(bytes: Buffer, what = 'The body'): unknown {
  const text = decode(bytes, what);
  if (text === '') {
    throw new InvalidJsonError({ message: `${what} is empty; send a JSON value.` });
  }
  // Before parsing, because the parser recurses: the depth limit is what bounds its stack.
  const written = countWritten(text, what);
  let value: unknown;
  try {
    value = parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
  } catch {
    throw new InvalidJsonError({ message: `${what} is not valid JSON.` });
  }
  // The parser keeps one of the members that share a name. It says so only when their values differ, hence the count.
  if (countValues(value) !== written) {
    throw new InvalidJsonError({ message: `${what} repeats a member name within an object.` });
  }
  return value;
}

function decode(bytes: Buffer, what: string): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new InvalidJsonError({ message: `${what} is not valid UTF-8.` });
  }
}

function parseNumber(source: string): bigint | number {
  return integerOfJsonLiteral(source) ?? Number(source);
}

/** Counts the values that a value consists of: itself, and every array element and object member at any depth. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((count, member) => count + countValues(member), 1);
}

/**
 * Counts the values that a JSON text writes: the outermost, and every array element and object member at any depth. The result
 * means nothing for a text that is not JSON.
 *
 * @throws InvalidJsonError when more than {@link MAX_JSON_DEPTH} arrays and objects are open at once.
 */
function countWritten(text: string, what: string): number {
  let values = 1;
  let depth = 0;
  let justOpened = false;
  for (let i = 0; i < text.length; i++) {
    switch (text.charAt(i)) {
      case ' ':
      case '\t':
      case '\n':
      case '\r':
        continue;
      case '"':
        i = closingQuote(text, i);
        break;
      case '[':
      case '{':
        if (++depth > MAX_JSON_DEPTH) {
          throw new InvalidJsonError({
            message: `${what} nests more than ${MAX_JSON_DEPTH} arrays and objects.`,
          });
        }
        values++;
        justOpened = true;
        continue;
      case ']':
      case '}':
        depth--;
        values -= justOpened ? 1 : 0;
        break;
      case ',':
        values++;
        break;
    }
    justOpened = false;
  }
  return values;
}

/** Returns the index of the quotation mark that ends the string begun at `start`; beyond the text's end without one. */
function closingQuote(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && text[i] !== '"') {
    i += text[i] === '\\' ? 2 : 1;
  }
  return i;
}
