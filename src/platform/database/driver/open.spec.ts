import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { Entity, PrimaryColumn } from 'typeorm';
import { createTestDatabase, describeEachEngine } from '../../../../test/support/databases/databases';
import { makeFolder } from '../../../../test/support/folders';
import { databaseSettings } from '../../../../test/support/databases/sample-database';
import { ExitCode, exitCodeOf } from '../../cli/command-error';
import { type DatabaseSettings, sqliteOf } from './data-source';
import { MissingDatabaseError } from './missing-database';
import { DatabaseOpenError, openDatabase } from './open';

/** Opens the database as those do who may make it. */
const create = (settings: DatabaseSettings) => openDatabase(settings, [], { mayCreate: true });

/** The one sentence with which a database is refused. */
async function refusal(url: string): Promise<string> {
  const error: unknown = await create(databaseSettings(url)).then(
    (dataSource) => dataSource.destroy(),
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(DatabaseOpenError);
  const { message } = error as Error;
  expect(message).not.toContain('\n');
  return message;
}

describeEachEngine('openDatabase', (engine) => {
  it('opens an empty database and changes nothing in it', async () => {
    const database = await createTestDatabase(engine);
    const dataSource = await openDatabase(databaseSettings(database.url));
    const tables = await dataSource.query<unknown[]>(
      engine === 'sqlite'
        ? 'SELECT name FROM sqlite_master'
        : `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`,
    );
    await dataSource.destroy();
    await database.drop();
    expect(tables).toEqual([]);
  });

  it('blames the entity, not the database, for a column type that the engine lacks', async () => {
    class Note {
      id!: number;
    }
    Entity()(Note);
    PrimaryColumn({ type: 'money5' as 'text' })(Note.prototype, 'id');
    const database = await createTestDatabase(engine);
    const part = { owner: 'NotesModule', entities: [Note], migrations: [] };
    const opening = openDatabase(databaseSettings(database.url), [part]);
    await expect(opening).rejects.toThrow(DatabaseOpenError);
    await expect(opening).rejects.toThrow(
      /^The entities cannot be used: Data type "money5" in "Note.id" is not supported by "(postgres|better-sqlite3)" database\.$/,
    );
    await database.drop();
  });
});

describe('openDatabase on SQLite', () => {
  it('makes neither file nor folder unless it is allowed to', async () => {
    const folder = makeFolder();
    const file = join(folder, 'new', 'petstore.sqlite');
    const opening = openDatabase(databaseSettings(`sqlite:${file}`));
    await expect(opening).rejects.toThrow(MissingDatabaseError);
    await expect(opening).rejects.toThrow(`There is no database at ${file}.`);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('makes the file, and the folders it lies in', async () => {
    const file = join(makeFolder(), 'new', 'data', 'petstore.sqlite');
    const dataSource = await create(databaseSettings(`sqlite:${file}`));
    await dataSource.destroy();
    expect(existsSync(file)).toBe(true);
  });

  describe('where the umask lets all users read new files', () => {
    let before: number;

    beforeAll(() => (before = process.umask(0o022)));
    afterAll(() => void process.umask(before));

    /** The permissions of each file of a folder, once the database in it has written something. */
    async function modesIn(folder: string, name = 'petstore.sqlite'): Promise<Record<string, string>> {
      const dataSource = await create(databaseSettings(`sqlite:${join(folder, name)}`));
      await dataSource.query('CREATE TABLE IF NOT EXISTS "written" ("id" integer)');
      const files = readdirSync(folder).filter((file) => file.startsWith('petstore.sqlite'));
      const modes = Object.fromEntries(files.map((file) => [file, modeOf(join(folder, file))]));
      await dataSource.destroy();
      return modes;
    }

    const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
    const FILES = ['petstore.sqlite', 'petstore.sqlite-shm', 'petstore.sqlite-wal'];
    const OWN = Object.fromEntries(FILES.map((file) => [file, '600']));

    it('keeps the file, its log and its folder to the user of the service', async () => {
      const folder = join(makeFolder(), 'new', 'data');
      expect(await modesIn(folder)).toEqual(OWN);
      expect([modeOf(folder), modeOf(join(folder, '..'))]).toEqual(['700', '700']);
    });

    it('removes the permissions of other users from existing files, also after a crash and behind a link', async () => {
      const folder = makeFolder();
      chmodSync(folder, 0o755);
      const dataSource = await create(databaseSettings(`sqlite:${join(folder, FILES[0] as string)}`));
      await dataSource.query('CREATE TABLE "crashed" ("id" integer)');
      for (const file of FILES) chmodSync(join(folder, file), 0o644);
      symlinkSync(join(folder, 'petstore.sqlite'), join(folder, 'link.sqlite'));
      expect(await modesIn(folder, 'link.sqlite')).toEqual(OWN);
      await dataSource.destroy();
      expect(modeOf(folder)).toBe('755');
    });
  });

  it('syncs the write-ahead log to the disk with every commit', async () => {
    const settings = databaseSettings(`sqlite:${join(makeFolder(), 'petstore.sqlite')}`);
    // The second time: a file that has the log ahead of it already would be synced less often by default.
    await (await create(settings)).destroy();
    const dataSource = await create(settings);
    const pragma = async (name: string) => dataSource.query<unknown[]>(`PRAGMA ${name}`);
    const FULL = 2n;
    expect(await pragma('journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    expect(await pragma('synchronous')).toEqual([{ synchronous: FULL }]);
    expect(await pragma('foreign_keys')).toEqual([{ foreign_keys: 1n }]);
    await dataSource.destroy();
  });

  it('has a transaction take the write lock at its start: later, it could not wait for another process', async () => {
    const url = `sqlite:${join(makeFolder(), 'petstore.sqlite')}`;
    const [dataSource, other] = [await create(databaseSettings(url)), await create(databaseSettings(url))];
    sqliteOf(other).pragma('busy_timeout = 0');
    await dataSource.query('CREATE TABLE "taken" ("id" integer)');
    await dataSource.transaction(async (manager) => {
      await manager.query('SELECT 1');
      expect(() => sqliteOf(other).exec('INSERT INTO "taken" VALUES (1)')).toThrow('database is locked');
      await manager.query('INSERT INTO "taken" VALUES (2)');
    });
    await Promise.all([dataSource.destroy(), other.destroy()]);
  });

  it.each([
    ['a text', Buffer.from('name,categoryId\nRex,3\n'.repeat(500))],
    [
      'the header of a database and nothing else',
      Buffer.from('SQLite format 3\0'.padEnd(4_096, '\xff'), 'latin1'),
    ],
  ])('refuses %s as a database file, and leaves every byte of it', async (_title, bytes) => {
    const folder = makeFolder();
    const file = join(folder, 'petstore.sqlite');
    writeFileSync(file, bytes);
    expect(await refusal(`sqlite:${file}`)).toBe(
      `The database file ${file} is damaged or is not a SQLite database. The file was not changed. ` +
        'Restore a backup or choose another file with DATABASE_URL.',
    );
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(readdirSync(folder)).toEqual(['petstore.sqlite']);
  });

  it('takes the write lock at the start of a transaction, before it has written anything', async () => {
    const file = join(makeFolder(), 'petstore.sqlite');
    const dataSource = await create(databaseSettings(`sqlite:${file}`));
    const other = new SqliteDatabase(file, { timeout: 0 });
    const runner = dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      expect(() => other.exec('CREATE TABLE a (id integer)')).toThrow('database is locked');
      await runner.rollbackTransaction();
      expect(() => other.exec('CREATE TABLE a (id integer)')).not.toThrow();
    } finally {
      await runner.release();
      other.close();
      await dataSource.destroy();
    }
  });

  it('refuses a folder in place of the file', async () => {
    const folder = join(makeFolder(), 'petstore.sqlite');
    mkdirSync(folder);
    expect(await refusal(`sqlite:${folder}`)).toBe(`The database file ${folder} is a folder.`);
  });

  it('refuses a file below another file', async () => {
    const file = join(makeFolder(), 'file');
    writeFileSync(file, '');
    expect(await refusal(`sqlite:${file}/petstore.sqlite`)).toMatch(/cannot be written: .*file.*\.$/);
  });
});

describe('openDatabase on PostgreSQL', () => {
  it('names the address that it cannot reach, and never the password', async () => {
    const message = await refusal('postgres://petstore:s3cret@127.0.0.1:1/pets%20db');
    expect(message).toMatch(/^The PostgreSQL database pets db at 127\.0\.0\.1:1 cannot be reached: .+\.$/);
    expect(message).not.toContain('s3cret');
  });

  it('says that the database does not exist', async () => {
    const url = new URL(process.env.TEST_POSTGRES_URL as string);
    url.pathname = '/nowhere';
    const message = await refusal(url.href);
    expect(message).toBe(
      `The PostgreSQL database nowhere at ${url.host} cannot be reached: database "nowhere" does not exist.`,
    );
    expect(message).not.toContain(url.password);
  });

  it('refuses a database in whose encoding most texts cannot be stored', async () => {
    const url = process.env.TEST_POSTGRES_URL as string;
    const server = await openDatabase(databaseSettings(url));
    const name = `latin_${process.pid}`;
    await server.query(
      `CREATE DATABASE "${name}" ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
    );
    const latin = new URL(url);
    latin.pathname = `/${name}`;
    try {
      expect(await refusal(latin.href)).toContain('LATIN1');
    } finally {
      await server.query(`DROP DATABASE "${name}" WITH (FORCE)`);
      await server.destroy();
    }
  });

  it('says that a server without a free connection is so for now, and ends a command with 5', async () => {
    const database = await createTestDatabase('postgres');
    const owner = await openDatabase(databaseSettings(database.url));
    const role = new URL(database.url).pathname.slice(1);
    await owner.query(`CREATE ROLE "${role}" LOGIN PASSWORD 'few' CONNECTION LIMIT 0`);
    const url = Object.assign(new URL(database.url), { username: role, password: 'few' });
    const error: unknown = await openDatabase(databaseSettings(url.href)).catch((fault: unknown) => fault);
    await owner.query(`DROP ROLE "${role}"`);
    await owner.destroy();
    await database.drop();
    expect(error).toBeInstanceOf(DatabaseOpenError);
    expect((error as Error).message).toContain('at the moment');
    expect(exitCodeOf(error)).toBe(ExitCode.tryLater);
  });
});
