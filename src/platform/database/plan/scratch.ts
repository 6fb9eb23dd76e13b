import { randomBytes } from 'node:crypto';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { engineOf } from '../column-types';
import { emptyCopyOf } from '../driver/data-source';
import { uncheckedConstraints } from '../driver/late-constraints';
import { migrationTime } from '../driver/schema-parts';
import { type Catalog, copyOtherTables, noteWrites, prepareNotes, readCatalog } from './catalog';
import { effectsBetween } from './compare';
import type { Effect } from './effect';
import { sqliteEffects, sqliteTables } from './sqlite-effects';

/** A statement of a migration. */
export interface RecordedStatement {
  readonly sql: string;
  readonly effects: readonly Effect[];
}

/** Effects of a migration on a database without rows. */
export interface Recording {
  readonly migration: string;
  readonly statements: readonly RecordedStatement[];
  /** True if it reads rows, of which the copy has none: it may do more on those of the database. */
  readonly readsRows: boolean;
  /** Why it could not be carried out; those after it are not there then. */
  readonly failure?: string;
}

/** Migrations to be recorded. */
export interface Wanted {
  readonly pending: readonly string[];
  /** True to judge each on a database that has all before it and nothing else, whatever the tables of this one are. */
  readonly isEachAlone: boolean;
}

/** The migrations cannot be tried out, for a reason that lies in the database. */
export class CannotPlanError extends Error {}

/**
 * Carries out all migrations on an empty copy of the schema, and records the statements of some: on SQLite in memory, on
 * PostgreSQL in a schema of its own, in a transaction that is rolled back. Nothing of the service is locked or changed.
 *
 * @throws CannotPlanError
 */
export async function recordMigrations(dataSource: DataSource, wanted: Wanted): Promise<Recording[]> {
  const unchecked = wanted.isEachAlone ? [] : await uncheckedIn(dataSource);
  const copy = await emptyCopyOf(dataSource).initialize();
  const runner = copy.createQueryRunner();
  try {
    await runner.beforeMigration();
    await runner.startTransaction();
    const recorder = await recorderFor(runner, wanted, unchecked);
    return await recorder.record(inOrder(dataSource.migrations, wanted), wanted);
  } finally {
    await runner.rollbackTransaction().catch(() => undefined);
    await runner.release();
    await copy.destroy();
  }
}

async function recorderFor(
  runner: QueryRunner,
  { isEachAlone }: Wanted,
  unchecked: readonly string[],
): Promise<Recorder> {
  if (engineOf(runner.dataSource) === 'sqlite') return new SqliteRecorder(runner);
  const schema = await enterSchema(runner);
  return new PostgresRecorder(runner, unchecked, isEachAlone ? undefined : schema);
}

async function uncheckedIn(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    return await uncheckedConstraints(runner);
  } finally {
    await runner.release();
  }
}

function inOrder(
  migrations: readonly MigrationInterface[],
  { pending, isEachAlone }: Wanted,
): MigrationInterface[] {
  const sorted = migrations.toSorted((a, b) => migrationTime(nameOf(a)) - migrationTime(nameOf(b)));
  if (isEachAlone) return sorted;
  // One that is pending may be older than one that is applied: that of another branch, or of a module added now.
  const isPending = (migration: MigrationInterface) => pending.includes(nameOf(migration));
  return [...sorted.filter((migration) => !isPending(migration)), ...sorted.filter(isPending)];
}

function nameOf(migration: MigrationInterface): string {
  return migration.name ?? migration.constructor.name;
}

/**
 * Makes a schema, which statements without the name of one mean from now on. Types of extensions are found where they are.
 *
 * @returns the schema of the service
 */
async function enterSchema(runner: QueryRunner): Promise<string> {
  const schema = `petstore_plan_${randomBytes(6).toString('hex')}`;
  await runner.query(`SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '1s'`);
  const [{ own }] = (await runner.query('SELECT current_schema() AS own')) as [{ own: string }];
  const others = (await runner.query(
    `SELECT DISTINCT quote_ident(nspname) AS name FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE nspname <> 'pg_catalog'`,
  )) as { name: string }[];
  try {
    await runner.query(`CREATE SCHEMA "${schema}"`);
  } catch (error) {
    throw new CannotPlanError(
      `Pending migrations cannot be examined: ${(error as Error).message}. The user needs GRANT CREATE ON DATABASE.`,
      { cause: error },
    );
  }
  await runner.query(
    `SET LOCAL search_path = ${[`"${schema}"`, ...others.map(({ name }) => name)].join(', ')}`,
  );
  Object.assign(runner.dataSource.driver, { schema, searchSchema: schema });
  return own;
}

type Query = (sql: string, ...given: unknown[]) => Promise<unknown>;

/** Matches statements that change nothing. */
const READ = /^\s*(?:SELECT|SHOW|PRAGMA|EXPLAIN|SET|SAVEPOINT|RELEASE|ROLLBACK)\b/i;
/** Matches statements about the catalogs, as TypeORM makes them. */
const OF_CATALOG = /\b(?:information_schema|pg_\w+|sqlite_master|current_schema|version|current_database)\b/i;

abstract class Recorder {
  private statements: RecordedStatement[] | undefined;
  private readsRows = false;
  protected readonly send: Query;

  constructor(protected readonly runner: QueryRunner) {
    this.send = runner.query.bind(runner) as Query;
    const query: Query = async (sql, ...given) => {
      const result = await this.send(sql, ...given);
      if (this.statements) await this.note(sql, this.statements);
      return result;
    };
    Object.assign(runner, { query });
  }

  async record(
    migrations: readonly MigrationInterface[],
    { pending, isEachAlone }: Wanted,
  ): Promise<Recording[]> {
    const recordings: Recording[] = [];
    for (const migration of migrations) {
      const name = nameOf(migration);
      if (!pending.includes(name)) {
        await this.repeat(name, migration);
        continue;
      }
      if (recordings.length === 0 || isEachAlone) await this.know();
      const recording = await this.recordOne(name, migration);
      recordings.push(recording);
      if (recording.failure !== undefined) break;
    }
    return recordings;
  }

  private async repeat(name: string, migration: MigrationInterface): Promise<void> {
    try {
      await migration.up(this.runner);
    } catch (error) {
      throw new CannotPlanError(
        `Pending migrations cannot be examined: ${name}, which is applied, fails on an empty copy of the schema: ${(error as Error).message}`,
        { cause: error },
      );
    }
  }

  private async recordOne(name: string, migration: MigrationInterface): Promise<Recording> {
    const statements: RecordedStatement[] = [];
    this.readsRows = false;
    this.statements = statements;
    let failure: string | undefined;
    try {
      await migration.up(this.runner);
    } catch (error) {
      failure = (error as Error).message;
    }
    this.statements = undefined;
    if (failure === undefined) await this.finish(statements);
    return {
      migration: name,
      statements,
      readsRows: this.readsRows,
      ...(failure !== undefined && { failure }),
    };
  }

  private async note(sql: string, statements: RecordedStatement[]): Promise<void> {
    const isRead = READ.test(sql);
    if (isRead && OF_CATALOG.test(sql)) return;
    this.statements = undefined;
    const effects = await this.effectsOf(sql);
    // A function that is selected may change rows.
    if (!isRead || effects.length > 0) statements.push({ sql, effects });
    else this.readsRows ||= /\bFROM\b/i.test(sql);
    this.statements = statements;
  }

  /** Takes the tables as they are now for those that are there before the migrations. */
  protected abstract know(): Promise<void>;
  protected abstract effectsOf(sql: string): Promise<Effect[]>;
  /** Adds what is known only at the end of a migration. */
  protected abstract finish(statements: RecordedStatement[]): Promise<void>;
}

class PostgresRecorder extends Recorder {
  private known: ReadonlyMap<number, string> | undefined;
  private catalog!: Catalog;

  /**
   * @param unchecked statements that would check constraints of the database for older rows
   * @param schema where tables may be that no migration has made
   */
  constructor(
    runner: QueryRunner,
    private readonly unchecked: readonly string[],
    private readonly schema: string | undefined,
  ) {
    super(runner);
  }

  protected async know(): Promise<void> {
    if (!this.known) {
      if (this.schema !== undefined) await copyOtherTables(this.send, this.schema);
      await prepareNotes(this.send);
    }
    // As the service does after migrations.
    for (const validation of await uncheckedConstraints(this.runner)) {
      if (!this.unchecked.includes(validation)) await this.send(validation);
    }
    const { tables } = await readCatalog(this.send);
    await noteWrites(
      this.send,
      tables.filter(({ id }) => !this.known?.has(id)),
    );
    this.known = new Map(tables.map(({ id, name }) => [id, name]));
    this.catalog = await readCatalog(this.send, [...this.known.keys()]);
  }

  protected async effectsOf(sql: string): Promise<Effect[]> {
    const known = this.known ?? new Map<number, string>();
    const after = await readCatalog(this.send, [...known.keys()]);
    const effects = effectsBetween(known, this.catalog, after, sql);
    this.catalog = after;
    return effects;
  }

  protected async finish(): Promise<void> {}
}

class SqliteRecorder extends Recorder {
  private before = new Map<string, ReadonlyMap<string, boolean>>();

  protected async know(): Promise<void> {
    this.before = await sqliteTables(this.send);
  }

  protected effectsOf(sql: string): Promise<Effect[]> {
    return Promise.resolve(sqliteEffects(sql, this.before));
  }

  /** TypeORM makes a table anew to change it, so only the result tells which columns it has added. */
  protected async finish(statements: RecordedStatement[]): Promise<void> {
    const after = await sqliteTables(this.send);
    const added = [...this.before].flatMap(([table, columns]) =>
      [...(after.get(table) ?? [])]
        .filter(([column]) => !columns.has(column))
        .map(([column, isRequired]): Effect => ({
          kind: 'column-added',
          table,
          column,
          isRequired,
          rewrites: false,
        })),
    );
    const last = statements.at(-1);
    if (last) statements.splice(-1, 1, { ...last, effects: [...last.effects, ...added] });
  }
}
