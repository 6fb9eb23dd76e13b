import type { DataSource } from 'typeorm';
import { NewerDatabaseError } from '../schema/migrate';
import { readSchemaState } from '../schema/schema-state';
import { type Engine, engineOf } from '../column-types';
import type { Effect } from './effect';
import { ALL, type Lock, lockOf, secondsOf, servedUnder, strongest } from './estimate';
import { type Facts, readFacts } from './facts';
import { RULES } from './rules';
import { CannotPlanError, recordMigrations, type Recording } from './scratch';
import { readServing } from './serving';

/** A table, and the lock on it while a statement runs: that of the statement, or a stronger one of a statement before. */
export interface LockedTable {
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
  readonly lock: Lock;
  /** Requests served on the table meanwhile. */
  readonly served: string;
}

/** A statement of a migration. */
export interface PlannedStatement {
  readonly sql: string;
  /** None when it touches only tables that the migrations make; nor any on SQLite, where the whole file is locked for writers. */
  readonly locks: readonly LockedTable[];
  /** Estimate of its duration. */
  readonly seconds: number;
  /** Estimate of the time from its start until all migrations are done, when the locks are given back. */
  readonly heldSeconds: number;
}

/** A rule that a migration breaks. */
export interface Finding {
  readonly migration: string;
  readonly rule: string;
  readonly sentence: string;
  /** The section of docs/schema-changes.md that says what to do instead. */
  readonly section: string;
}

/** Statements of a pending migration. */
export interface PlannedMigration {
  readonly name: string;
  readonly statements: readonly PlannedStatement[];
  /** True if it reads rows: the plan is made on an empty copy, so it may do more. */
  readonly readsRows: boolean;
}

/** Effects of pending migrations on a database, and the rules that they break. */
export interface MigrationPlan {
  readonly engine: Engine;
  /** Versions that serve on it. */
  readonly serving: readonly string[];
  readonly migrations: readonly PlannedMigration[];
  readonly findings: readonly Finding[];
}

/**
 * Finds what the pending migrations would do, and changes nothing.
 *
 * @throws CannotPlanError when the migrations cannot be tried out, or NewerDatabaseError
 */
export async function planMigrations(dataSource: DataSource): Promise<MigrationPlan> {
  const { pending, unknown } = await readSchemaState(dataSource);
  if (unknown.length > 0) throw new NewerDatabaseError(unknown);
  const facts = await readFacts(dataSource, await readServing(dataSource));
  const recordings =
    pending.length === 0 ? [] : await recordMigrations(dataSource, { pending, isEachAlone: false });
  return judge(recordings, facts);
}

/** Harm that pending migrations would do. */
export interface Harm {
  /** A sentence for each finding. */
  readonly findings: readonly string[];
  /** Why the migrations are not examined, if the database does not let them be tried out. */
  readonly obstacle?: string;
}

/**
 * Finds what would hurt if pending migrations were applied now: nothing on a database without tables, nor on SQLite, where nothing
 * serves meanwhile.
 */
export async function findHarm(dataSource: DataSource): Promise<Harm> {
  if (engineOf(dataSource) === 'sqlite') return { findings: [] };
  const { applied, pending, unknown } = await readSchemaState(dataSource);
  if (applied.length === 0 || pending.length === 0 || unknown.length > 0) return { findings: [] };
  try {
    return { findings: describeFindings(await planMigrations(dataSource)) };
  } catch (error) {
    if (error instanceof CannotPlanError) return { findings: [], obstacle: error.message };
    throw error;
  }
}

/** The findings of a plan, a sentence each. */
export function describeFindings({ findings }: MigrationPlan): string[] {
  return findings.map(
    ({ migration, sentence, section }) => `${migration}: ${sentence} See docs/schema-changes.md#${section}`,
  );
}

/** Judges what migrations do, by the facts of a database. */
export function judge(recordings: readonly Recording[], facts: Facts): MigrationPlan {
  const findings: Finding[] = [];
  const locks = new HeldLocks();
  let left = secondsOf(
    recordings.flatMap(({ statements }) => statements.flatMap(({ effects }) => effects)),
    facts,
  );
  const migrations = recordings.map(({ migration, statements, readsRows, failure }): PlannedMigration => {
    const planned = statements.map(({ sql, effects }): PlannedStatement => {
      const locked = locks.take(effects, facts);
      findings.push(...brokenRules(effects, facts, locked).map((broken) => ({ migration, ...broken })));
      const seconds = secondsOf(effects, facts);
      const heldSeconds = left;
      left = Math.max(0, left - seconds);
      return { sql, locks: facts.engine === 'postgres' ? locked : [], seconds, heldSeconds };
    });
    if (failure !== undefined) findings.push({ migration, ...failing(failure) });
    return { name: migration, readsRows, statements: planned };
  });
  return { engine: facts.engine, serving: facts.serving.versions, migrations, findings };
}

/** Locks that the transaction of the migrations has taken, which it keeps until its end. */
class HeldLocks {
  private readonly locks = new Map<string, Lock>();

  /** @returns the tables that a statement touches */
  take(effects: readonly Effect[], { sizes }: Facts): LockedTable[] {
    return [...new Set(effects.map(({ table }) => table))].map((table) => {
      const taken = effects.filter((effect) => effect.table === table).map(lockOf);
      const lock = strongest([...taken, this.locks.get(table) ?? 'ACCESS SHARE']);
      this.locks.set(table, lock);
      const { rows = 0, bytes = 0 } = sizes.get(table) ?? {};
      return { table, rows, bytes, lock, served: servedUnder(lock) };
    });
  }
}

type Broken = Omit<Finding, 'migration'>;

function brokenRules(effects: readonly Effect[], facts: Facts, locked: readonly LockedTable[]): Broken[] {
  const rules = RULES.filter(({ onSqlite }) => facts.engine === 'postgres' || onSqlite);
  return effects.flatMap((effect) =>
    rules.flatMap(({ name, section, find }) => {
      const isWaitedFor = locked.some(({ table, served }) => table === effect.table && served !== ALL);
      const sentence = find(effect, facts, isWaitedFor);
      return sentence === undefined ? [] : [{ rule: name, sentence, section }];
    }),
  );
}

function failing(failure: string): Broken {
  return {
    rule: 'failing',
    sentence: `It cannot be carried out on an empty copy of the schema: ${failure.replace(/\.?$/, '.')}`,
    section: failure.includes('CONCURRENTLY') ? 'an-index-on-a-large-table' : 'what-the-service-does',
  };
}
