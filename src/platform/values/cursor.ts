import { hash } from 'node:crypto';
import { InvalidCursorError } from '../errors/http-errors';

/** The documented limit. Today's cursors are far shorter; the limit leaves room for a later version. */
export const MAX_CURSOR_LENGTH = 512;
/** The documented pattern of a cursor: the base64url alphabet (RFC 4648, section 5) without padding. */
export const CURSOR_PATTERN = '^[A-Za-z0-9_-]+$';

const ALPHABET = new RegExp(CURSOR_PATTERN);
const VERSION = 1;
/** Version of cursors with the value that a list is ordered by. */
const ORDERED_VERSION = 2;
// 9 bytes each, so both parts are 12 characters without spare bits: no two texts stand for the same bytes.
const PLACE_BYTES = 9;
/** Characters of a cursor's position, and of the digest of the filter that follows it. */
export const PART_LENGTH = 12;

/** The filter of a list by parameter name. A parameter that is not given is left out. */
export type CursorFilter = Readonly<Record<string, string>>;

/**
 * Makes the cursor of a place in a filtered list: a version byte, the position (int64, big-endian) and the first 9
 * bytes of the filter's SHA-256, in base64url. It grants nothing, so it is not signed.
 *
 * @param position the key of the last item before the place.
 * @throws RangeError when the position is outside int64.
 */
export function encodeCursor(position: bigint, filter: CursorFilter): string {
  const place = Buffer.allocUnsafe(PLACE_BYTES);
  place.writeUInt8(VERSION, 0);
  place.writeBigInt64BE(position, 1);
  return place.toString('base64url') + filterDigest(filter);
}

/**
 * Reads the position out of a cursor that {@link encodeCursor} made for the same filter.
 *
 * @throws InvalidCursorError when the text is not a cursor, or is one of a list with another filter.
 */
export function decodeCursor(text: string, filter: CursorFilter): bigint {
  if (text.length !== 2 * PART_LENGTH || !ALPHABET.test(text)) {
    throw malformed();
  }
  const place = Buffer.from(text.slice(0, PART_LENGTH), 'base64url');
  if (place[0] !== VERSION) {
    throw malformed();
  }
  if (text.slice(PART_LENGTH) !== filterDigest(filter)) {
    throw new InvalidCursorError({ message: 'The cursor belongs to a list with another filter.' });
  }
  return place.readBigInt64BE(1);
}

/** A place in a list that is ordered by a value, and by the key where values are the same. */
export interface OrderedPosition {
  readonly key: bigint;
  /** The value of the last item before the position, as text; null if it has no value. */
  readonly value: string | null;
  /** True if the text was too long for a cursor: then the value is a digest of it ({@link digestOf}). */
  readonly isDigest: boolean;
}

/** Kinds of value in an ordered cursor, by the byte in front of the value. */
const NULL = 0;
const TEXT = 1;
const DIGEST = 2;
/** Bytes of version, key and kind. */
const ORDERED_HEAD_BYTES = 10;
/** Most bytes of a value, so that the cursor keeps to {@link MAX_CURSOR_LENGTH}. */
const MAX_VALUE_BYTES = 360;

/**
 * Makes the cursor of a position in an ordered and filtered list: like {@link encodeCursor}, with the value in front of the
 * digest.
 */
export function encodeOrderedCursor(key: bigint, value: string | null, filter: CursorFilter): string {
  const isLong = value !== null && Buffer.byteLength(value) > MAX_VALUE_BYTES;
  const head = Buffer.alloc(ORDERED_HEAD_BYTES);
  head.writeUInt8(ORDERED_VERSION, 0);
  head.writeBigInt64BE(key, 1);
  head.writeUInt8(value === null ? NULL : isLong ? DIGEST : TEXT, ORDERED_HEAD_BYTES - 1);
  const text = Buffer.from((isLong ? digestOf(value) : value) ?? '');
  return Buffer.concat([head, text]).toString('base64url') + filterDigest(filter);
}

/**
 * Reads the position out of a cursor that {@link encodeOrderedCursor} made for the same order and filter.
 *
 * @throws InvalidCursorError when the text is not a cursor, or is one of another list.
 */
export function decodeOrderedCursor(text: string, filter: CursorFilter): OrderedPosition {
  const place = Buffer.from(text.slice(0, -PART_LENGTH), 'base64url');
  const isCanonical = place.toString('base64url') === text.slice(0, -PART_LENGTH);
  if (!isCanonical || place.length < ORDERED_HEAD_BYTES || place[0] !== ORDERED_VERSION) throw malformed();
  if (text.slice(-PART_LENGTH) !== filterDigest(filter)) {
    throw new InvalidCursorError({ message: 'The cursor belongs to a list with another filter or order.' });
  }
  const kind = place[ORDERED_HEAD_BYTES - 1];
  const value = kind === NULL ? null : place.subarray(ORDERED_HEAD_BYTES).toString();
  return { key: place.readBigInt64BE(1), value, isDigest: kind === DIGEST };
}

/** Returns the digest that stands in a cursor for a text that is too long for it. */
export function digestOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, PART_LENGTH);
}

function malformed(): Error {
  return new InvalidCursorError({ message: 'The cursor is malformed.' });
}

function filterDigest(filter: CursorFilter): string {
  const canonical = JSON.stringify(Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1)));
  return digestOf(canonical);
}
