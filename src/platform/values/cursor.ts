import { hash } from 'node:crypto';
import { InvalidCursorError } from '../errors/http-errors';

/** The documented limit. Today's cursors are far shorter; the limit leaves room for a later version. */
export const MAX_CURSOR_LENGTH = 512;
/** The documented pattern of a cursor: the base64url alphabet (RFC 4648, section 5) without padding. */
export const CURSOR_PATTERN = '^[A-Za-z0-9_-]+$';

const ALPHABET = new RegExp(CURSOR_PATTERN);
const VERSION = 1;
// 9 bytes each, so both parts are 12 characters without spare bits: no two texts stand for the same bytes.
const PLACE_BYTES = 9;
const PART_LENGTH = 12;

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

function malformed(): Error {
  return new InvalidCursorError({ message: 'The cursor is malformed.' });
}

function filterDigest(filter: CursorFilter): string {
  const canonical = JSON.stringify(Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1)));
  return hash('sha256', canonical, 'base64url').slice(0, PART_LENGTH);
}
