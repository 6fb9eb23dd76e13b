import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { Client } from 'pg';
import { createTestDatabase, describeEachEngine, type Engine, type TestDatabase } from './databases';

describeEachEngine('A test database', (engine) => {
  const made: TestDatabase[] = [];

  async function create(): Promise<TestDatabase> {
    const database = await createTestDatabase(engine);
    made.push(database);
    return database;
  }

  afterEach(async () => {
    await Promise.all(made.splice(0).map((database) => database.drop()));
  });

  it('uses the requested engine', async () => {
    const database = await create();

    expect(database.engine).toBe(engine);
    expect(await query(database, VERSION[engine])).toEqual([
      { version: expect.stringMatching(/^(PostgreSQL 18|3)\./) },
    ]);
  });

  it('has no tables', async () => {
    expect(await query(await create(), TABLES[engine])).toEqual([]);
  });

  it('shares nothing with another one', async () => {
    const [first, second] = await Promise.all([create(), create()]);
    await query(first, 'CREATE TABLE pet (id integer)');

    expect(await query(first, TABLES[engine])).toEqual([{ name: 'pet' }]);
    expect(await query(second, TABLES[engine])).toEqual([]);
  });

  it('keeps committed rows for the next connection', async () => {
    const database = await create();
    await query(database, 'CREATE TABLE pet (id integer)');
    await query(database, 'INSERT INTO pet VALUES (7)');

    expect(await query(database, 'SELECT id FROM pet')).toEqual([{ id: 7 }]);
  });

  it('can be created many times at once', async () => {
    const databases = await Promise.all(Array.from({ length: 8 }, create));

    expect(new Set(databases.map(({ url }) => url)).size).toBe(8);
  });
});

describe('Dropping a test database', () => {
  it('removes the file of SQLite', async () => {
    const database = await createTestDatabase('sqlite');
    expect(existsSync(file(database))).toBe(true);

    await database.drop();

    expect(existsSync(file(database))).toBe(false);
  });

  it('removes the database of PostgreSQL while a client is connected, and leaves the others', async () => {
    const [database, other] = await Promise.all([
      createTestDatabase('postgres'),
      createTestDatabase('postgres'),
    ]);
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const errors: unknown[] = [];
    client.on('error', (error) => errors.push(error));
    const disconnected = new Promise((resolve) => client.once('end', resolve));

    await database.drop();

    await disconnected;
    expect(errors[0]).toMatchObject({ code: '57P01' });
    await expect(query(database, 'SELECT 1')).rejects.toMatchObject({ code: '3D000' });
    expect(await query(other, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await other.drop();
  });
});

const VERSION: Record<Engine, string> = {
  sqlite: 'SELECT sqlite_version() AS version',
  postgres: 'SELECT version()',
};

const TABLES: Record<Engine, string> = {
  sqlite: 'SELECT name FROM sqlite_schema',
  postgres: "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace",
};

async function query(database: TestDatabase, sql: string): Promise<unknown[]> {
  return database.engine === 'sqlite' ? querySqlite(database, sql) : queryPostgres(database, sql);
}

function querySqlite(database: TestDatabase, sql: string): unknown[] {
  const connection = new Database(file(database), { fileMustExist: true });
  try {
    const statement = connection.prepare(sql);
    return statement.reader ? statement.all() : [statement.run()];
  } finally {
    connection.close();
  }
}

async function queryPostgres(database: TestDatabase, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function file(database: TestDatabase): string {
  return database.url.replace(/^sqlite:/, '');
}
