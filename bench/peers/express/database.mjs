import Database from 'better-sqlite3';

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

/** Opens the file at `path`, creates the schema if it is new, and prepares every statement once. */
export function openDatabase(path) {
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(SCHEMA);
  return {
    listPets: db.prepare(
      'select id, name, category_id as categoryId, status from pets where id > ? order by id limit ?',
    ),
    listPetsByStatus: db.prepare(
      'select id, name, category_id as categoryId, status from pets where id > ? and status = ? order by id limit ?',
    ),
    getPet: db.prepare('select id, name, category_id as categoryId, status from pets where id = ?'),
    createPet: db.prepare('insert into pets (name, category_id, status) values (?, ?, ?)'),
    findKey: db.prepare(
      'select 1 from api_keys where hash = ? and revoked_at is null and (expires_at is null or expires_at > ?)',
    ),
    addKey: db.prepare('insert or ignore into api_keys (hash) values (?)'),
    close: () => db.close(),
  };
}
