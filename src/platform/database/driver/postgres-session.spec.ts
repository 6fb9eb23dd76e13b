import { Pool } from 'pg';
import { describeEachEngine } from '../../../../test/support/databases/databases';
import {
  databaseSettings,
  newSample,
  openSampleDatabase,
  Sample,
  type SampleDatabase,
} from '../../../../test/support/databases/sample-database';
import { Database } from '../database';
import { EntityRepository } from '../entities/entity-repository';
import { poolOf, postgresPoolOptions } from './data-source';

/** What a database may say of its connections, in which instants, doubles, bytes or tables would be lost. */
const HOSTILE = [
  `datestyle = 'German'`,
  `datestyle = 'SQL, DMY'`,
  `timezone = 'Asia/Kathmandu'`,
  `intervalstyle = 'iso_8601'`,
  `bytea_output = 'escape'`,
  `extra_float_digits = -15`,
  `standard_conforming_strings = off`,
  `search_path = 'nowhere'`,
  `search_path = ''`,
  `search_path = 'elsewhere', 'public'`,
];

/** The settings that the service depends on, as a connection has them. */
const SETTINGS = `
  SELECT name, setting FROM pg_settings
  WHERE name IN ('DateStyle', 'TimeZone', 'IntervalStyle', 'bytea_output', 'extra_float_digits', 'standard_conforming_strings')
  ORDER BY name`;

const WHOLE = newSample('whole', {
  at: new Date('2026-11-22T09:30:00.123Z'),
  ratio: 0.1 + 0.2,
  day: '2026-11-22',
});

describe('A database of PostgreSQL with settings that the service does not expect', () => {
  let samples: SampleDatabase;

  beforeAll(async () => {
    samples = await openSampleDatabase('postgres');
    await new EntityRepository(samples.database, Sample).insertMany([WHOLE]);
    await samples.dataSource.query(`
      CREATE SCHEMA "elsewhere";
      CREATE TABLE "elsewhere"."migrations" ("id" int);
      CREATE TABLE "idempotent_answers" ("at" timestamptz)`);
  });
  afterAll(() => samples.close());

  it.each(HOSTILE)('has rows read as they are stored with %s', async (setting) => {
    const name = new URL(samples.url).pathname.slice(1);
    await samples.dataSource.query(
      `ALTER DATABASE "${name}" RESET ALL; ALTER DATABASE "${name}" SET ${setting}`,
    );
    const restarted = await samples.another();
    const expected = expect.objectContaining(WHOLE) as unknown;

    expect(await new EntityRepository(new Database(restarted), Sample).findPage({ limit: 5 })).toEqual({
      items: [expected],
    });
    expect(await restarted.getRepository(Sample).find()).toEqual([expected]);
    const [{ schema }] = await restarted.query<[{ schema: string }]>('SELECT current_schema() AS schema');
    expect(schema).toBe('public');
  });

  it('has them on each connection alike, of whatever pool', async () => {
    const settings = databaseSettings(samples.url);
    const name = new URL(samples.url).pathname.slice(1);
    await samples.dataSource.query(`ALTER DATABASE "${name}" RESET ALL`);
    const usual = (await poolOf(samples.dataSource).query(SETTINGS)).rows as unknown[];
    for (const setting of HOSTILE.filter((each) => !each.startsWith('search_path'))) {
      await samples.dataSource.query(`ALTER DATABASE "${name}" SET ${setting}`);
    }
    const pool = new Pool({ ...postgresPoolOptions(settings), connectionString: samples.url });
    expect((await pool.query(SETTINGS)).rows).toEqual(usual);
    await pool.end();
  });

  it('keeps a search path that leads to the tables of the service', async () => {
    const url = new URL(samples.url);
    url.searchParams.set('options', '-c search_path=elsewhere');
    await samples.dataSource.query('CREATE TABLE "elsewhere"."idempotent_answers" ("at" timestamptz)');
    const pool = new Pool({ ...postgresPoolOptions(databaseSettings(url.href)), connectionString: url.href });
    const { rows } = await pool.query('SHOW search_path');
    await pool.end();
    expect(rows).toEqual([{ search_path: 'elsewhere' }]);
  });
});

describeEachEngine('An instant that cannot be read', (engine) => {
  let samples: SampleDatabase;

  beforeEach(async () => {
    samples = await openSampleDatabase(engine);
    await samples.insert('a');
  });
  afterEach(() => samples.close());

  it('refuses the row, by the service and by TypeORM, rather than being null', async () => {
    const { database, dataSource } = samples;
    // A connection whose date style a module has changed; an unreadable text in a file.
    const unreadable =
      engine === 'postgres' ? `at = now(), label = 'a'` : `at = '22.11.2026 10:00', label = 'a'`;
    await dataSource.query(`UPDATE "samples" SET ${unreadable}`);
    const table = new EntityRepository(database, Sample);
    await database.transaction(async () => {
      if (engine === 'postgres') await dataSource.query(`SET LOCAL datestyle = 'German'`);
      await expect(table.findPage({ limit: 5 })).rejects.toThrow('instant');
      await expect(dataSource.getRepository(Sample).find()).rejects.toThrow('instant');
    });
    await dataSource.query(`UPDATE "samples" SET "at" = NULL`);
    expect(await table.findPage({ limit: 5 })).toMatchObject({ items: [{ at: null }] });
  });
});
