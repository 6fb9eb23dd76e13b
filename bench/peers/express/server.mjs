/**
 * Hand-written Express 5 on better-sqlite3: the yardstick for "what the framework costs".
 * Express keeps its stock settings. Environment: PORT, DATABASE_URL (sqlite:<path>), BOOTSTRAP_API_KEY.
 */
import { hash } from 'node:crypto';
import express from 'express';
import { openDatabase } from './database.mjs';
import { HttpError, handleError } from './errors.mjs';
import { readListQuery, readNewPet, writeCursor } from './validation.mjs';

const { PORT, DATABASE_URL, BOOTSTRAP_API_KEY } = process.env;
const db = openDatabase(DATABASE_URL.slice('sqlite:'.length));
const sha256 = (text) => hash('sha256', text, 'hex');
if (BOOTSTRAP_API_KEY) db.addKey.run(sha256(BOOTSTRAP_API_KEY));

function requireKey(req, res, next) {
  const match = /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? '');
  if (match === null || db.findKey.get(sha256(match[1]), Date.now()) === undefined) {
    throw new HttpError(401, 'unauthorized', 'The API key is missing or invalid.');
  }
  next();
}

// A status that was never set is null in the table and absent in the response.
const toPet = ({ id, name, categoryId, status }) => ({ id, name, categoryId, status: status ?? undefined });

function listPets(req, res) {
  const { limit, status, after } = readListQuery(req.query);
  // One row more than asked for tells whether there is a next page.
  const rows =
    status === undefined
      ? db.listPets.all(after, limit + 1)
      : db.listPetsByStatus.all(after, status, limit + 1);
  if (rows.length > limit) {
    rows.pop();
    const query = new URLSearchParams({ limit, cursor: writeCursor(rows.at(-1).id) });
    if (status !== undefined) query.set('status', status);
    res.set('Link', `<${req.protocol}://${req.get('host')}${req.path}?${query}>; rel="next"`);
  }
  res.json(rows.map(toPet));
}

function getPet(req, res) {
  const row = /^[1-9][0-9]{0,14}$/.test(req.params.petId)
    ? db.getPet.get(Number(req.params.petId))
    : undefined;
  if (row === undefined) throw new HttpError(404, 'pet_not_found', 'There is no such pet.');
  res.json(toPet(row));
}

function createPet(req, res) {
  const { name, categoryId, status } = readNewPet(req.body);
  const { lastInsertRowid: id } = db.createPet.run(name, categoryId, status ?? null);
  res.status(201).location(`/v1/pets/${id}`).json({ id, name, categoryId, status });
}

const app = express();
app.use(requireKey);
app.get('/v1/pets', listPets);
app.get('/v1/pets/:petId', getPet);
app.post('/v1/pets', express.json({ limit: '100kb' }), createPet);
app.use(handleError);
const server = app.listen(Number(PORT), '127.0.0.1', (error) => {
  if (error) throw error;
});
process.once('SIGTERM', () => {
  server.close(() => db.close());
  server.closeAllConnections();
});
