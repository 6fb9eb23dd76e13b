import { hash } from 'node:crypto';
import { HttpError, petNotFound } from './errors.mjs';

/** The SHA-256 of the key a request brings; 401 when it brings none. */
export function keyHashOf(request) {
  const match = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '');
  if (match === null) throw unauthorized();
  return hash('sha256', match[1], 'hex');
}

export const unauthorized = () => new HttpError(401, 'unauthorized', 'The API key is missing or invalid.');

/** The id after which the page begins. */
export function positionOf({ cursor }) {
  if (cursor === undefined) return 0;
  const id = Number(Buffer.from(cursor, 'base64url').toString());
  if (!Number.isSafeInteger(id)) throw new HttpError(400, 'invalid_cursor', 'cursor is not valid.');
  return id;
}

/** A page of which `rows` holds one more than was asked for when there is a next one. */
export function pageResponse(request, reply, rows) {
  const { limit, status } = request.query;
  if (rows.length > limit) {
    rows.pop();
    const cursor = Buffer.from(String(rows.at(-1).id)).toString('base64url');
    const query = new URLSearchParams({ limit, cursor });
    if (status !== undefined) query.set('status', status);
    reply.header('link', `<${request.protocol}://${request.host}/v1/pets?${query}>; rel="next"`);
  }
  return rows.map(toPet);
}

export function petResponse(row) {
  if (row === undefined) throw petNotFound();
  return toPet(row);
}

export function createdResponse(request, reply, id) {
  const { name, categoryId, status } = request.body;
  reply.code(201).header('location', `/v1/pets/${id}`);
  return { id, name, categoryId, status };
}

// A status that was never set is null in the table and absent in the response.
const toPet = ({ id, name, categoryId, status }) => ({ id, name, categoryId, status: status ?? undefined });
