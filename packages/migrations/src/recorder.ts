import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { type Catalog, noteWrites, prepareNotes, readCatalog } from './catalog';
import { effectsBetween } from './compare';
import type { Effect, Engine } from './effect';
import { sqliteTables } from './sqlite-tables';

/** Effects of a migration, in their order. */
export interface Recording {
  readonly migration: string;
  readonly effects: readonly Effect[];
}

/**
 * Carries out the migrations on an empty database, each in a transaction unless it wants none, and records what its statements do
 * to the tables that were there before it.
 *
 * @throws Error when the database has tables
 */
export async function recordMigrations(dataSource: DataSource, engine: Engine): Promise<Recording[]> {
  const runner = dataSource.createQueryRunner();
  try {
    const recorder = engine === 'sqlite' ? new SqliteRecorder(runner) : new PostgresRecorder(runner);
    return await recorder.record(dataSource.migrations);
  } finally {
    await runner.release();
  }
}

function nameOf(migration: MigrationInterface): string {
  return migration.name ?? migration.constructor.name;
}

/** A name ends in the time of the migration, in milliseconds. */
function timeOf(migration: MigrationInterface): number {
  return Number(nameOf(migration).slice(-13));
}

type Query = (sql: string, ...given: unknown[]) => Promise<unknown>;

/** Matches what TypeORM asks the catalogs. */
const OF_CATALOG = /^\s*(?:SELECT|PRAGMA)\b[^]*\b(?:information_schema|pg_class|pg_\w*type|sqlite_master)\b/i;

const STATEMENT_EFFECTS = [
  ['schema-dropped', /\bDROP\s+SCHEMA\b/i],
  ['slept', /\bpg_sleep(?:_for|_until)?\s*\(/i],
] as const;

abstract class Recorder {
  private effects: Effect[] | undefined;
  protected readonly send: Query;

  constructor(protected readonly runner: QueryRunner) {
    this.send = runner.query.bind(runner) as Query;
    const query: Query = async (sql, ...given) => {
      const result = await this.send(sql, ...given);
      if (this.effects) await this.note(sql, this.effects);
      return result;
    };
    Object.assign(runner, { query });
  }

  async record(migrations: readonly MigrationInterface[]): Promise<Recording[]> {
    await this.prepare();
    // As for every migration: TypeORM makes tables of SQLite anew, and foreign keys would delete rows then.
    await this.runner.beforeMigration();
    const recordings: Recording[] = [];
    for (const migration of migrations.toSorted((a, b) => timeOf(a) - timeOf(b))) {
      const effects = await this.recordOne(migration);
      recordings.push({ migration: nameOf(migration), effects });
      if (effects.some(({ kind }) => kind === 'failed' || kind === 'transaction-ended')) break;
    }
    await this.runner.afterMigration();
    return recordings;
  }

  private async recordOne(migration: MigrationInterface): Promise<Effect[]> {
    const effects: Effect[] = [];
    const isWhole = migration.transaction !== false;
    await this.know();
    if (isWhole) await this.runner.startTransaction();
    await this.enter(isWhole);
    this.effects = effects;
    try {
      await migration.up(this.runner);
      this.effects = undefined;
      effects.push(...(await this.atEnd()));
      if (isWhole) await this.runner.commitTransaction();
    } catch (error) {
      this.effects = undefined;
      effects.push({ kind: 'failed', reason: (error as Error).message });
      if (isWhole) await this.runner.rollbackTransaction().catch(() => undefined);
    }
    return effects;
  }

  private async note(sql: string, effects: Effect[]): Promise<void> {
    this.effects = undefined;
    for (const [kind, pattern] of STATEMENT_EFFECTS) if (pattern.test(sql)) effects.push({ kind });
    if (!OF_CATALOG.test(sql)) effects.push(...(await this.effectsOf(sql)));
    this.effects = effects;
  }

  /** Looks whether the database is empty, and makes what the recorder needs. */
  protected abstract prepare(): Promise<void>;
  /** Takes the tables as they are now for those that were there before the migration. */
  protected abstract know(): Promise<void>;
  /** Notes in which transaction the migration begins. */
  protected abstract enter(isWhole: boolean): Promise<void>;
  protected abstract effectsOf(sql: string): Promise<Effect[]>;
  /** Effects that are known only at the end of a migration. */
  protected atEnd(): Promise<Effect[]> {
    return Promise.resolve([]);
  }
}

function assertEmpty(tables: number): void {
  if (tables > 0) {
    throw new Error('The database has tables. Migrations are judged on an empty database of their own.');
  }
}

const UNCHECKED = `
  SELECT format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass, conname) AS validation
  FROM pg_constraint WHERE NOT convalidated`;

class PostgresRecorder extends Recorder {
  private known = new Map<number, string>();
  private catalog!: Catalog;
  private transaction: string | undefined;

  protected async prepare(): Promise<void> {
    assertEmpty((await readCatalog(this.send)).tables.length);
    await prepareNotes(this.send);
  }

  protected async know(): Promise<void> {
    // As the service does after migrations.
    for (const { validation } of (await this.send(UNCHECKED)) as { validation: string }[]) {
      await this.send(validation);
    }
    const { tables } = await readCatalog(this.send);
    await noteWrites(
      this.send,
      tables.filter(({ id }) => !this.known.has(id)),
    );
    this.known = new Map(
      tables.map(({ id, name, schema }) => [id, schema === 'public' ? name : `${schema}.${name}`]),
    );
  }

  protected async enter(isWhole: boolean): Promise<void> {
    const [row] = (await this.send('SELECT txid_current()::text AS id')) as [{ id: string }];
    this.transaction = isWhole ? row.id : undefined;
    this.catalog = await readCatalog(this.send, [...this.known.keys()]);
  }

  protected async effectsOf(sql: string): Promise<Effect[]> {
    const after = await readCatalog(this.send, [...this.known.keys()]);
    const effects: Effect[] = effectsBetween(this.known, this.catalog, after, sql);
    this.catalog = after;
    if (await this.hasEnded()) effects.push({ kind: 'transaction-ended' });
    return effects;
  }

  private async hasEnded(): Promise<boolean> {
    if (this.transaction === undefined) return false;
    const sql = 'SELECT txid_current_if_assigned()::text AS id';
    const [row] = (await this.send(sql)) as [{ id: string | null }];
    const hasEnded = row.id !== this.transaction;
    if (hasEnded) this.transaction = undefined;
    return hasEnded;
  }
}

class SqliteRecorder extends Recorder {
  private before = new Map<string, ReadonlyMap<string, boolean>>();

  protected async prepare(): Promise<void> {
    assertEmpty((await sqliteTables(this.send)).size);
  }

  protected async know(): Promise<void> {
    this.before = await sqliteTables(this.send);
  }

  protected async enter(): Promise<void> {}

  protected effectsOf(sql: string): Promise<Effect[]> {
    const isEnd = /^\s*(?:COMMIT|END|ROLLBACK(?!\s+TO))\b/i.test(sql);
    return Promise.resolve(isEnd ? [{ kind: 'transaction-ended' }] : []);
  }

  /** TypeORM makes a table anew to change it, so only the result tells which columns it has added. */
  protected override async atEnd(): Promise<Effect[]> {
    const after = await sqliteTables(this.send);
    return [...this.before].flatMap(([table, columns]) =>
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
  }
}
