import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
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

/**
 * Makes a database as `fill` would leave an empty one: a copy of the one that it was called for first in this run, under this name.
 * `drop()` is the caller's.
 */
export async function createFilledDatabase(
  engine: Engine,
  name: string,
  fill: (url: string) => Promise<void>,
): Promise<TestDatabase> {
  // In watch mode the next run may fill it otherwise.
  const inRun = `${name}_${fromRun('TEST_RUN')}`;
  if (engine === 'sqlite') {
    const original = join(fromRun('TEST_FOLDER'), `${inRun}.sqlite`);
    if (!existsSync(original)) {
      const { url } = await createSqliteDatabase();
      await fill(url);
      // Whole, or not there: others look at the same time.
      await rename(url.slice('sqlite:'.length), original);
    }
    return createSqliteDatabase(original);
  }
  const copied = await createPostgresDatabase(inRun).catch(ignoring(NO_SUCH_DATABASE));
  if (copied) return copied;
  const filled = await createPostgresDatabase();
  await fill(filled.url);
  const made = escapeIdentifier(new URL(filled.url).pathname.slice(1));
  const server = fromRun('TEST_POSTGRES_URL');
  const renaming = `ALTER DATABASE ${made} RENAME TO ${escapeIdentifier(inRun)}`;
  const isOriginal = await execute(server, renaming).then(() => true, ignoring(...THERE_ALREADY));
  // Another worker was faster: then this one is nobody's original.
  return isOriginal ? createPostgresDatabase(inRun) : filled;
}

/**
 * `describe` for code that differs by engine, once for each engine. `npm test` sets `TEST_ENGINE=sqlite` and `npm run test:postgres`
 * `TEST_ENGINE=postgres`, which run it on that engine alone; the gate does both.
 */
export function describeEachEngine(title: string, suite: (engine: Engine) => void): void {
  describe.each(ENGINES.filter((engine) => engine === (askedEngine() ?? engine)))(`${title} on %s`, suite);
}

/** `describe` for code that is the same on every engine: on SQLite, or on that of `TEST_ENGINE`. */
export function describeOneEngine(title: string, suite: (engine: Engine) => void): void {
  const engine = askedEngine() ?? 'sqlite';
  describe(`${title} on ${engine}`, () => suite(engine));
}

function askedEngine(): Engine | undefined {
  const asked = process.env.TEST_ENGINE;
  const engine = ENGINES.find((known) => known === asked);
  if (asked && engine === undefined) throw new Error(`TEST_ENGINE is one of ${ENGINES.join(', ')}.`);
  return engine;
}

/** Codes of PostgreSQL. */
const NO_SUCH_DATABASE = '3D000';
/** The second one is that of two renamings at once. */
const THERE_ALREADY = ['42P04', '23505'];

function ignoring(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (!codes.includes((error as { code?: string }).code ?? '')) throw error;
    return undefined;
  };
}

async function createSqliteDatabase(original?: string): Promise<TestDatabase> {
  // In the folder of the run, so that an interrupted run leaves nothing behind.
  const folder = await mkdtemp(join(fromRun('TEST_FOLDER'), 'sqlite-'));
  const file = join(folder, 'test.sqlite');
  if (original === undefined) await writeFile(file, '');
  else await copyFile(original, file);
  return {
    engine: 'sqlite',
    url: `sqlite:${file}`,
    drop: () => rm(folder, { recursive: true }),
  };
}

async function createPostgresDatabase(original = 'template1'): Promise<TestDatabase> {
  const server = fromRun('TEST_POSTGRES_URL');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await execute(server, `CREATE DATABASE ${escapeIdentifier(name)} TEMPLATE ${escapeIdentifier(original)}`);
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

function fromRun(variable: 'TEST_FOLDER' | 'TEST_POSTGRES_URL' | 'TEST_RUN'): string {
  const value = process.env[variable];
  if (!value) {
    throw new Error(`${variable} is not set: the test did not run under Jest with its global setup.`);
  }
  return value;
}
