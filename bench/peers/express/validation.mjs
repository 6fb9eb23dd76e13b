import { HttpError } from './errors.mjs';

const STATUSES = ['available', 'pending', 'sold'];

/** Reads `limit`, `status` and `cursor` of the list; 400 when one of them is wrong. */
export function readListQuery(query) {
  const { limit = '20', status, cursor } = query;
  if (!/^[1-9][0-9]?$|^100$/.test(limit)) {
    throw new HttpError(400, 'invalid_parameter', 'limit must be between 1 and 100.');
  }
  if (status !== undefined && !STATUSES.includes(status)) {
    throw new HttpError(400, 'invalid_parameter', `status must be one of ${STATUSES.join(', ')}.`);
  }
  return { limit: Number(limit), status, after: cursor === undefined ? 0 : readCursor(cursor) };
}

/** Makes the opaque position of a page that continues after pet `id`. */
export function writeCursor(id) {
  return Buffer.from(String(id)).toString('base64url');
}

function readCursor(cursor) {
  const id = Number(Buffer.from(String(cursor), 'base64url').toString());
  if (!Number.isSafeInteger(id)) throw new HttpError(400, 'invalid_cursor', 'cursor is not valid.');
  return id;
}

/** Reads the body of a creation; 400 when it is not a NewPet. */
export function readNewPet(body) {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new HttpError(400, 'invalid_body', 'The body must be a JSON object.');
  }
  const { name, categoryId, status } = body;
  if (typeof name !== 'string') throw new HttpError(400, 'invalid_field', 'name must be a string.');
  if (!Number.isSafeInteger(categoryId)) {
    throw new HttpError(400, 'invalid_field', 'categoryId must be an integer.');
  }
  if (status !== undefined && !STATUSES.includes(status)) {
    throw new HttpError(400, 'invalid_field', `status must be one of ${STATUSES.join(', ')}.`);
  }
  return { name, categoryId, status };
}
