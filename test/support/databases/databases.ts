import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, escapeIdentifier } from 'pg';

/** The database engines that the service supports. */
export const ENGINES = ['sqlite', 'postgres'] as const;

/** One of them. */
export type Engine = (typeof ENGINES)[number];

/** An empty database of its own. */
export interface TestDatabase {
  readonly engine: Engine;
  /** In the form of the setting `DATABASE_URL`. */
  readonly url: string;
  /** Removes the database, its open connections notwithstanding. */
  drop(): Promise<void>;
}

/** Makes an empty database that no other test knows. `drop()` is the caller's. */
export function createTestDatabase(engine: Engine): Promise<TestDatabase> {
  return engine === 'sqlite' ? createSqliteDatabase() : createPostgresDatabase();
}

/** `describe` once for each engine, for code that differs by engine; the engine's name is added to the title. */
export function describeEachEngine(title: string, suite: (engine: Engine) => void): void {
  describe.each(ENGINES)(`${title} on %s`, suite);
}

/**
 * `describe` on SQLite, for code that is the same on every engine. `TEST_ENGINE=postgres`, which `npm run test:engines` sets, runs
 * it on PostgreSQL instead.
 */
export function describeOneEngine(title: string, suite: (engine: Engine) => void): void {
  const engine = ENGINES.find((known) => known === (process.env.TEST_ENGINE ?? 'sqlite'));
  if (engine === undefined) throw new Error(`TEST_ENGINE is one of ${ENGINES.join(', ')}.`);
  describe(`${title} on ${engine}`, () => suite(engine));
}

async function createSqliteDatabase(): Promise<TestDatabase> {
  // In the folder of the run, so that an interrupted run leaves nothing behind.
  const folder = await mkdtemp(join(fromRun('TEST_FOLDER'), 'sqlite-'));
  const file = join(folder, 'test.sqlite');
  await writeFile(file, '');
  return {
    engine: 'sqlite',
    url: `sqlite:${file}`,
    drop: () => rm(folder, { recursive: true }),
  };
}

async function createPostgresDatabase(): Promise<TestDatabase> {
  const server = fromRun('TEST_POSTGRES_URL');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await execute(server, `CREATE DATABASE ${escapeIdentifier(name)}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    engine: 'postgres',
    url: url.href,
    drop: () => execute(server, `DROP DATABASE ${escapeIdentifier(name)} WITH (FORCE)`),
  };
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function fromRun(variable: 'TEST_FOLDER' | 'TEST_POSTGRES_URL'): string {
  const value = process.env[variable];
  if (!value) {
    throw new Error(`${variable} is not set: the test did not run under Jest with its global setup.`);
  }
  return value;
}
