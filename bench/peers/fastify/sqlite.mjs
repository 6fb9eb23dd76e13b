import Database from 'better-sqlite3';
import {
  createdResponse,
  keyHashOf,
  pageResponse,
  petResponse,
  positionOf,
  unauthorized,
} from './responses.mjs';

const SCHEMA = `
  create table if not exists pets (
    id integer primary key autoincrement,
    name text not null,
    category_id integer not null,
    status text
  );
  create index if not exists pets_status_id on pets (status, id);
  create table if not exists api_keys (
    hash text primary key,
    expires_at integer,
    revoked_at integer
  );
`;

const COLUMNS = 'id, name, category_id as "categoryId", status';

/**
 * Opens the file at `path`, makes the schema if it is new, prepares each statement once, and gives the handlers that
 * work on it. Nothing here waits, so none is a promise.
 */
export function openSqlite(path, newKeyHash) {
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(SCHEMA);
  if (newKeyHash) db.prepare('insert or ignore into api_keys (hash) values (?)').run(newKeyHash);

  const page = db.prepare(`select ${COLUMNS} from pets where id > ? order by id limit ?`);
  const pageByStatus = db.prepare(
    `select ${COLUMNS} from pets where id > ? and status = ? order by id limit ?`,
  );
  const pet = db.prepare(`select ${COLUMNS} from pets where id = ?`);
  const newPet = db.prepare('insert into pets (name, category_id, status) values (?, ?, ?)');
  const key = db.prepare(
    'select 1 from api_keys where hash = ? and revoked_at is null and (expires_at is null or expires_at > ?)',
  );
  const one = db.prepare('select 1');

  return {
    requireKey(request, reply, done) {
      if (key.get(keyHashOf(request), Date.now()) === undefined) throw unauthorized();
      done();
    },
    list(request, reply) {
      const { limit, status } = request.query;
      const after = positionOf(request.query);
      const rows =
        status === undefined ? page.all(after, limit + 1) : pageByStatus.all(after, status, limit + 1);
      return pageResponse(request, reply, rows);
    },
    get: (request) => petResponse(pet.get(Number(request.params.petId))),
    create(request, reply) {
      const { name, categoryId, status } = request.body;
      const { lastInsertRowid } = newPet.run(name, categoryId, status ?? null);
      return createdResponse(request, reply, lastInsertRowid);
    },
    ready() {
      one.get();
      return { status: 'ok' };
    },
    close: () => db.close(),
  };
}
