import { Refusal } from '../refusal.ts';

/** The parts of a field as it is written: `note:string(max=50)?`. */
export interface FieldText {
  readonly name: string;
  readonly type: string;
  /** Parts between its parentheses; undefined if it has no parentheses. */
  readonly details: readonly Detail[] | undefined;
  /** True for an array: `tags:string(max=50)[]`. */
  readonly isArray: boolean;
  readonly optional: boolean;
}

/** A part between the parentheses of a field: `unique`, `max=50`. */
export interface Detail {
  /** The part as it is written. */
  readonly text: string;
  /** Text before the equals sign, or all of it. */
  readonly key: string;
  /** Text after the equals sign, without the quotation marks around it. */
  readonly value: string | undefined;
}

const FIELD =
  /^(?<name>[^:()?]+):(?<type>[a-z0-9-]+)(?:\((?<details>.*)\))?(?<array>\[\])?(?<optional>\?)?$/is;

/** The parts of an array of objects as it is written: `lines:object(note:string,max-items=20)[]`. */
export interface OwnedText {
  readonly name: string;
  /** The fields of the objects, as they are written. */
  readonly members: readonly string[];
  readonly details: readonly Detail[];
  readonly isArray: boolean;
  readonly optional: boolean;
}

const OWNED = /^(?<name>[^:()?]+):object(?:\((?<details>.*)\))?(?<array>\[\])?(?<optional>\?)?$/is;
const LINKS = /^(?<name>[^:()?]+):refs(?:\((?<details>.*)\))?(?<array>\[\])?(?<optional>\?)?$/is;
const MEMBER = /^[A-Za-z]\w*\s*:/;

/** A text in quotation marks; a quotation mark within it is doubled. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"/y;

/** Splits a text into fields, which are separated by spaces or commas. */
export function splitFields(text: string): string[] {
  return splitOutside(text, /[\s,]/).filter((field) => field !== '');
}

/**
 * Reads the parts of a field.
 *
 * @throws Refusal
 */
export function readFieldText(text: string): FieldText {
  const { name, type, details, array, optional } = FIELD.exec(text)?.groups ?? {};
  if (name === undefined || type === undefined) {
    throw new Refusal(
      `${JSON.stringify(text)} is not a field: write name:type, as in note:string or note:string?.`,
    );
  }
  const parts = details === undefined ? undefined : splitOutside(details, /,/);
  return {
    name,
    type,
    details: parts?.map((part) => readDetail(name, part.trim())),
    isArray: array !== undefined,
    optional: optional !== undefined,
  };
}

/** Reads the parts of an array of objects; undefined for any other field. */
export function readOwnedText(text: string): OwnedText | undefined {
  const { name, details = '', array, optional } = OWNED.exec(text)?.groups ?? {};
  if (name === undefined) return undefined;
  const parts = splitOutside(details, /,/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return {
    name,
    members: parts.filter((part) => MEMBER.test(part)),
    details: parts.filter((part) => !MEMBER.test(part)).map((part) => readDetail(name, part)),
    isArray: array !== undefined,
    optional: optional !== undefined,
  };
}

/** Reads the parts of a field of links, `tags:refs(tags,max-items=20)`; undefined for any other field. */
export function readLinksText(text: string): Omit<OwnedText, 'members'> | undefined {
  const { name, details = '', array, optional } = LINKS.exec(text)?.groups ?? {};
  if (name === undefined) return undefined;
  const parts = splitOutside(details, /,/).map((part) => readDetail(name, part.trim()));
  return { name, details: parts, isArray: array !== undefined, optional: optional !== undefined };
}

/** Splits a text at the characters that match, outside parentheses and quotation marks. */
function splitOutside(text: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    const quoted = quotedAt(text, at);
    if (quoted !== undefined) at += quoted.length - 1;
    else if (character === '(') depth++;
    else if (character === ')' && depth > 0) depth--;
    else if (depth === 0 && separator.test(character)) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

/** A text without the quotation marks around it, if there are any. */
function unquoted(text: string): string {
  const quote = text.charAt(0);
  return isQuoted(text) ? text.slice(1, -1).replaceAll(quote + quote, quote) : text;
}

/** Finds the quoted text at a position, if a value begins there: quotation marks elsewhere are apostrophes. */
function quotedAt(text: string, at: number): string | undefined {
  if (!/(?:^|[=(,|])\s*$/.test(text.slice(0, at))) return undefined;
  QUOTED.lastIndex = at;
  return QUOTED.exec(text)?.[0];
}

function isQuoted(text: string): boolean {
  return text !== '' && quotedAt(text, 0) === text;
}

/** @throws Refusal when a text needs quotation marks and has none */
function readDetail(field: string, text: string): Detail {
  const [, key = text, value] = /^([a-z-]+)\s*=\s*(.*)$/s.exec(text) ?? [];
  const bare = value ?? text;
  if (!isQuoted(bare) && /\)\s*\(/.test(bare)) {
    throw new Refusal(
      `The field ${field} has two pairs of parentheses: write all in one pair, as in decimal(10,2,range).`,
    );
  }
  if (!isQuoted(bare) && /^['"]|[()]/.test(bare)) {
    throw new Refusal(
      `${JSON.stringify(text)} of the field ${field} must be in quotation marks, as in pattern='^(a|b){1,3}$': it contains commas, parentheses or quotation marks.`,
    );
  }
  return { text, key, value: value === undefined ? undefined : unquoted(value).trim() };
}
