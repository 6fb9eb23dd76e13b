import { InvalidJsonError } from '../errors/http-errors';
import { integerOfJsonLiteral } from './int64';
import { plainName, restoreNames } from './json-names';

/** How many arrays and objects may stand inside each other; the outermost counts. */
export const MAX_JSON_DEPTH = 32;

/** `JSON.parse` as ECMAScript's "JSON.parse source text access" has it; TypeScript's library does not know it yet. */
const parseWithSource = JSON.parse as (
  text: string,
  reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

const COLON = /[ \t\n\r]*:/y;

/** Strips one leading byte order mark and throws on malformed UTF-8. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads one JSON value (RFC 8259) strictly: well-formed UTF-8 with at most one leading byte order mark, nothing after
 * the value, at most {@link MAX_JSON_DEPTH} nested arrays and objects, no repeated member name within an object.
 *
 * A number that is an integer within int64 is read as a `bigint`, exactly; every other number stays a `number`. So
 * `typeof` tells them apart, and a double that was rounded to an integer is never taken for one. A member named
 * `__proto__` is a member like any other.
 *
 * @throws InvalidJsonError with a sentence for each cause, never holding what was sent.
 */
export function readJson(body: Buffer): unknown {
  const text = decode(body);
  if (text === '') {
    throw new InvalidJsonError({ message: 'The body is empty; it must be one JSON value.' });
  }
  // Before parsing, because JSON.parse recurses to revive: the depth limit is what bounds its stack.
  const scanned = scan(text);
  let revived = 0;
  let value: unknown;
  try {
    value = parseWithSource(scanned.text, (_name, member, context) => {
      revived++;
      if (typeof member === 'number' && context.source !== undefined) {
        return integerOfJsonLiteral(context.source) ?? member;
      }
      return scanned.renamed ? restoreNames(member) : member;
    });
  } catch {
    throw new InvalidJsonError({ message: 'The body is not one well-formed JSON value.' });
  }
  // JSON.parse keeps only the last of the members that share a name and revives each kept value once. So a value
  // that was written and not revived was displaced by a namesake, however either name was escaped.
  if (revived !== scanned.values) {
    throw new InvalidJsonError({ message: 'The body repeats a member name within an object.' });
  }
  return value;
}

function decode(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new InvalidJsonError({ message: 'The body is not well-formed UTF-8.' });
  }
}

interface Scanned {
  /** The text with escaped member names written plainly: what may be given to JSON.parse. */
  readonly text: string;
  /** Whether a name was written in another way. */
  readonly renamed: boolean;
  /** How many values are written: the outermost, and every array element and object member at any depth. */
  readonly values: number;
}

/**
 * Walks once over a JSON text. Of a text that is not JSON the result means nothing, but JSON.parse refuses it as it
 * would have refused the text itself.
 *
 * @throws InvalidJsonError when more than {@link MAX_JSON_DEPTH} arrays and objects are open at once.
 */
function scan(text: string): Scanned {
  const escapes = text.includes('\\');
  let rewritten = '';
  let copied = 0;
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
      case '"': {
        const end = endOfString(text, i);
        if (escapes && isEscapedName(text, i, end)) {
          rewritten += text.slice(copied, i) + plainName(text.slice(i, end));
          copied = end;
        }
        i = end - 1;
        break;
      }
      case '[':
      case '{':
        if (++depth > MAX_JSON_DEPTH) {
          throw new InvalidJsonError({
            message: `The body nests more than ${MAX_JSON_DEPTH} arrays and objects.`,
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
  return { text: copied === 0 ? text : rewritten + text.slice(copied), renamed: copied > 0, values };
}

/** The index after the string that begins at `start`; beyond the text's end when no quotation mark ends it. */
function endOfString(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && text[i] !== '"') {
    i += text[i] === '\\' ? 2 : 1;
  }
  return i + 1;
}

function isEscapedName(text: string, start: number, end: number): boolean {
  COLON.lastIndex = end;
  return COLON.test(text) && text.slice(start, end).includes('\\');
}
