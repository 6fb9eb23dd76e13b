import Database from 'better-sqlite3';

export const STATUSES = ['available', 'pending', 'sold'];
export const CATEGORIES = 50;
const NAMES = ['Rex', 'Luna', 'Bella', 'Milo', 'Coco', 'Nala', 'Simba', 'Kiwi', 'Pepper', 'Ginger'];

/** The pet of one id. Every server is given exactly these rows. */
export function petOf(id) {
  return {
    id,
    name: `${NAMES[id % NAMES.length]} ${id}`,
    categoryId: (id % CATEGORIES) + 1,
    status: STATUSES[id % STATUSES.length],
  };
}

/**
 * Writes pets 1 to `count` into the SQLite file `path`, whose schema its server has already made.
 * No server may have the file open.
 */
export function fillPets(path, count) {
  const db = new Database(path, { fileMustExist: true });
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
