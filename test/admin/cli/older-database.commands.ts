import type { DataSource } from 'typeorm';
import { loadSettings } from '../../../src/platform/config/load-settings';
import { createDataSource } from '../../../src/platform/database/driver/data-source';
import { openDatabase } from '../../../src/platform/database/driver/open';
import { createLogger } from '../../../src/platform/logging/logger';
import { startService } from '../../../src/process/start-service';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../../support/databases/databases';
import { databaseSettings } from '../../support/databases/sample-database';
import { CliInProcess } from '../../cli/support/cli-in-process';
import { doctor, freePorts } from './support/doctor';

const SENTENCE =
  'This database was made before 1.2.0, the first release, and no version since can upgrade it; nothing was changed.';

const PETS = [
  'CREATE TABLE pets (id integer PRIMARY KEY, name text, category_id bigint)',
  `INSERT INTO pets VALUES (1, 'Rex', 1)`,
];
const ANIMALS = PETS.map((statement) => statement.replace('pets', 'animals'));
const MIGRATIONS = [
  'CREATE TABLE migrations (id integer PRIMARY KEY, "timestamp" bigint NOT NULL, name varchar NOT NULL)',
  `INSERT INTO migrations VALUES (1, 1763700001000, 'CreatePets1763700001000')`,
];

const TABLES = {
  sqlite: 'SELECT name FROM sqlite_master',
  postgres: `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
};

describeEachEngine('A database of before 1.2.0', (engine) => {
  let database: TestDatabase;
  let past: DataSource;

  beforeEach(async () => {
    database = await createTestDatabase(engine);
    past = await createDataSource(databaseSettings(database.url)).initialize();
  });
  afterEach(async () => {
    await past.destroy();
    await database.drop();
  });

  /** Returns the rows of each table. */
  async function held(): Promise<Map<string, unknown>> {
    const tables = await past.query<{ name: string }[]>(TABLES[engine]);
    const rows = new Map<string, unknown>();
    for (const { name } of tables) rows.set(name, await past.query(`SELECT * FROM ${name}`));
    return rows;
  }

  it.each([
    ['with the migrations of 1.1.0', [...PETS, ...MIGRATIONS]],
    ['that has lost its migrations', PETS],
    ['of which only the migrations are known', [...ANIMALS, ...MIGRATIONS]],
  ])('%s is refused by commands and by a start, and loses nothing', async (_which, statements) => {
    for (const statement of statements) await past.query(statement);
    const before = await held();
    const cli = new CliInProcess({ ...(await freePorts()), DATABASE_URL: database.url });

    for (const words of ['db migrate', 'db check', 'db status', 'db revert --yes', 'pets list']) {
      const { code, stdout, stderr } = await cli.run(...words.split(' '));
      expect([words, code, stdout, stderr]).toEqual([words, 1, '', `${SENTENCE}\n`]);
    }
    const { code, say } = await doctor(cli);
    expect([code, say('database')]).toEqual([1, `fail ${SENTENCE}`]);
    expect(say('migrations')).toMatch(/^warn /);
    const settings = loadSettings({ PORT: '0', MANAGEMENT_PORT: '0', DATABASE_URL: database.url });
    await expect(startService(settings, createLogger('silent'))).rejects.toThrow(SENTENCE);
    expect(await held()).toEqual(before);
  });

  it.each([
    ['migrations', 'CREATE TABLE migrations (id integer PRIMARY KEY, migration varchar, batch integer)'],
    ['api_keys', 'CREATE TABLE api_keys (id integer PRIMARY KEY, name text)'],
    ['pets', 'CREATE TABLE pets (id integer PRIMARY KEY, name text)'],
  ])('is not what somebody else has made whose table %s is in the way', async (table, statement) => {
    await past.query(statement);
    const before = await held();
    const { code, stderr } = await new CliInProcess({ DATABASE_URL: database.url }).run('db', 'migrate');
    expect([code, stderr]).toEqual([
      1,
      `Another program uses the table ${table} in this database; nothing was changed. Give the service a database of its own with DATABASE_URL.\n`,
    ]);
    expect(await held()).toEqual(before);
  });

  it('is not one with migrations of another TypeORM program, or of a team, alone', async () => {
    const [made = ''] = MIGRATIONS;
    await past.query(made);
    await past.query(`INSERT INTO migrations VALUES (1, 1700000000000, 'CreateShops1700000000000')`);
    const opened = await openDatabase(databaseSettings(database.url));
    await opened.destroy();
  });
});
