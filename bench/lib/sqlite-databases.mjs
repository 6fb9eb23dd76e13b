import { join } from 'node:path';
import Database from 'better-sqlite3';
import { petOf } from './data.mjs';

/** SQLite databases, each a file in `folder`. */
export class SqliteDatabases {
  constructor(folder) {
    this.folder = folder;
  }

  /** The address of the database called `name`; the server that opens it makes the file. */
  urlOf(name) {
    return `sqlite:${join(this.folder, `${name}.sqlite`)}`;
  }

  /** Writes pets 1 to `count` into a database whose schema its server has made and which no server has open. */
  fill(url, count) {
    const db = new Database(url.slice('sqlite:'.length), { fileMustExist: true });
    try {
      const insert = db.prepare('insert into pets (id, name, category_id, status) values (?, ?, ?, ?)');
      db.transaction(() => {
        for (let id = 1; id <= count; id += 1) {
          const pet = petOf(id);
          insert.run(pet.id, pet.name, pet.categoryId, pet.status);
        }
      })();
      db.pragma('wal_checkpoint(TRUNCATE)');
    } finally {
      db.close();
    }
  }
}
