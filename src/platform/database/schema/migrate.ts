import type { DataSource, QueryRunner } from 'typeorm';
import { ServiceUnavailableError } from '../../errors/http-errors';
import { driverCode, isConflict, isUnavailable } from '../driver/driver-errors';
import { checkOlderRows, uncheckedConstraints } from '../driver/late-constraints';
import { UnfitRowsError } from '../driver/requirements';
import { type MigrationTurn, type MigrationWork, NotOurTurnError, takeTurn } from './migration-turn';
import { readSchemaState, type SchemaState } from './schema-state';
import { wait } from '../../values/wait';

/** Pauses before the next attempts to get a lock, about a minute in all, in milliseconds. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000];

/** Pause between two looks whether another process has ended its migrations, in milliseconds. */
const TURN_PAUSE_MS = 500;

/** SQLSTATE of a lock that was not had in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/** Calls by which somebody is told of migrations as they are applied. */
export interface MigrationObserver {
  /** Called before each migration, also when it is tried again. */
  readonly applying?: (name: string) => void;
  /** Called before a pause, with a sentence. */
  readonly waiting?: (message: string) => void;
}

/** A table is in use by a transaction that does not end. */
class TableInUseError extends Error {
  constructor(cause: unknown) {
    const [who, outcome] =
      cause instanceof MigrationFailedError
        ? [`${cause.migration} needs`, cause.outcome]
        : ['The migrations need', UNCHANGED];
    super(
      `${who} a table that a long transaction uses, and gave up so as not to delay requests. ${outcome}: end the transaction (pg_stat_activity shows it) and migrate again.`,
      { cause },
    );
  }
}

/** The database has migrations this build does not know: it belongs to a newer version. */
export class NewerDatabaseError extends Error {
  constructor(unknown: readonly string[]) {
    super(
      `The database was migrated by a newer version of the service (${unknown.join(', ')} is unknown to this version). Deploy the newer version; nothing was changed.`,
    );
  }
}

/** A migration could not be applied; the message names it and says why. */
class MigrationFailedError extends Error {
  /** @param outcome what has become of the database */
  constructor(
    readonly migration: string,
    readonly outcome: string,
    cause: unknown,
  ) {
    const { message } = cause as Error;
    const advice = cause instanceof UnfitRowsError ? CORRECT_ROWS : '';
    super(`${migration} cannot be applied: ${message.replace(/\.?$/, '.')} ${outcome}${advice}.`, { cause });
  }
}

const UNCHANGED = 'Nothing was changed';

/** Commands of this version expect the tables that it cannot have yet. */
const CORRECT_ROWS =
  ', and the previous version still works on the database: correct the rows with it or by SQL, then migrate again';

/**
 * Applies every pending migration; several processes at once take turns. Migrations that follow each other share a transaction, one
 * with `transaction = false` runs by itself and without. Constraints that they leave to be checked later are checked for older rows
 * afterwards.
 *
 * @returns the names applied now
 * @throws NewerDatabaseError, TableInUseError, MigrationFailedError, or ServiceUnavailableError when the database went away
 */
export async function migrate(
  dataSource: DataSource,
  observer: MigrationObserver = {},
  pausesMs: readonly number[] = PAUSES_MS,
): Promise<string[]> {
  const unchecked = await uncheckedIn(dataSource);
  const applied: string[] = [];
  do {
    const work = (turn: MigrationTurn) => applyNext(turn, observer, applied);
    const next = { first: ({ pending }: SchemaState) => pending[0], work };
    applied.push(...(await takingTurns(dataSource, next, { observer, pausesMs })));
  } while ((await readSchemaState(dataSource)).pending.length > 0);
  if (applied.length > 0) await checkOlderRows(dataSource, unchecked);
  return applied;
}

async function uncheckedIn(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    return await uncheckedConstraints(runner);
  } finally {
    await runner.release();
  }
}

/** Applies the next migrations that share a transaction, or the next without one. */
async function applyNext(
  { executor, runner, isWhole }: MigrationTurn,
  { applying }: MigrationObserver,
  before: readonly string[],
): Promise<string[]> {
  const applied: string[] = [];
  for (const migration of await executor.getPendingMigrations()) {
    const { name, instance } = migration;
    // SQLite has a transaction always, and so takes one of this kind that comes first as well.
    if (applied.length > 0 && (!isWhole || instance?.transaction === false)) break;
    applying?.(name);
    try {
      await executor.executeMigration(migration);
    } catch (error) {
      throw new MigrationFailedError(name, await (isWhole ? outcomeOf(before) : leftBy(runner)), error);
    }
    applied.push(name);
  }
  return applied;
}

function outcomeOf(before: readonly string[]): string {
  if (before.length === 0) return UNCHANGED;
  return `Applied before: ${before.join(', ')}. Nothing else was changed`;
}

const INVALID_INDEXES = `
  SELECT indexrelid::regclass::text AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE NOT indisvalid AND relnamespace = current_schema()::regnamespace ORDER BY 1`;

/** Tells what a migration without a transaction may have left: above all, an index whose creation was interrupted. */
async function leftBy(runner: QueryRunner): Promise<string> {
  const found = (await runner.query(INVALID_INDEXES).catch(() => [])) as { name: string }[];
  const drops = found.map(({ name }) => `DROP INDEX CONCURRENTLY ${name};`);
  const invalid = drops.length > 0 ? `, and an invalid index is there: ${drops.join(' ')} drops it` : '';
  return `It runs without a transaction, so what it did until then stays${invalid}`;
}

/**
 * Takes back the newest migration.
 *
 * @returns its name; undefined when no migration is applied
 * @throws NewerDatabaseError, TableInUseError, or ServiceUnavailableError when the database went away
 */
export function revert(dataSource: DataSource): Promise<string | undefined> {
  const newest = ({ applied }: SchemaState) => applied.at(-1);
  const work = async ({ executor, state }: MigrationTurn) => {
    const name = newest(state);
    if (name !== undefined) await executor.undoLastMigration();
    return name;
  };
  return takingTurns(dataSource, { first: newest, work }, { observer: {}, pausesMs: PAUSES_MS });
}

/** Pauses between the attempts of a migration, and the observer of each attempt. */
interface Patience {
  readonly observer: MigrationObserver;
  readonly pausesMs: readonly number[];
}

async function takingTurns<T>(
  dataSource: DataSource,
  { first, work }: MigrationWork<T>,
  patience: Patience,
): Promise<T> {
  const ofThisVersion = (turn: MigrationTurn) => {
    const { unknown } = turn.state;
    if (unknown.length > 0) throw new NewerDatabaseError(unknown);
    return work(turn);
  };
  try {
    return await tryingAgain(dataSource, { first, work: ofThisVersion }, patience);
  } catch (error) {
    const failed: unknown = error instanceof MigrationFailedError ? error.cause : error;
    const cause: unknown = failed instanceof ServiceUnavailableError ? failed.cause : failed;
    if (!Error.isError(cause) || !isUnavailable(cause)) throw error;
    const message = `The database was lost during the migrations: ${cause.message.replace(/\.?$/, '.')} Migrate again.`;
    throw new ServiceUnavailableError({ message, cause });
  }
}

/** Tries again while another transaction is in the way, or when another process has migrated meanwhile. */
async function tryingAgain<T>(
  dataSource: DataSource,
  work: MigrationWork<T>,
  { observer, pausesMs }: Patience,
): Promise<T> {
  let attempt = 1;
  let hasWaited = false;
  for (;;) {
    const before = await readSchemaState(dataSource);
    try {
      return await takeTurn(dataSource, work);
    } catch (error) {
      if (error instanceof NotOurTurnError) {
        if (!hasWaited) observer.waiting?.(`${error.message} This process waits.`);
        hasWaited = true;
        await wait(TURN_PAUSE_MS);
        continue;
      }
      const failed = error instanceof MigrationFailedError ? error : undefined;
      const cause: unknown = failed ? failed.cause : error;
      const isInTheWay = driverCode(cause) === LOCK_NOT_AVAILABLE;
      const mayTryAgain = isInTheWay || isConflict(cause) || (await hasMovedOn(dataSource, before));
      if (!mayTryAgain) throw error;
      const pauseMs = pausesMs[attempt - 1];
      if (pauseMs === undefined) throw isInTheWay ? new TableInUseError(error) : error;
      attempt++;
      const who = failed ? failed.migration : 'The migrations';
      observer.waiting?.(
        `${who} did not get a lock that another transaction holds: attempt ${attempt} of ${pausesMs.length + 1} follows in ${pauseMs / 1_000} s.`,
      );
      await wait(pauseMs);
    }
  }
}

/**
 * Tells whether another process has applied a migration meanwhile. Without advisory locks two processes may apply the same one;
 * for the second, the tables are there already.
 */
async function hasMovedOn(dataSource: DataSource, before: SchemaState): Promise<boolean> {
  const { applied } = await readSchemaState(dataSource);
  return applied.length !== before.applied.length;
}
