import { AppError } from '../../errors/app-error';
import { DuplicateValueError, InvalidRequestError, ServiceUnavailableError } from '../../errors/http-errors';

/**
 * SQLSTATE classes and codes that mean the database cannot serve now (PostgreSQL 18, Appendix A). 25006 among them: a primary
 * that has become a standby refuses writes until the address leads to the new primary.
 */
const UNAVAILABLE_SQLSTATE = /^(08...|53...|57P0[1-5]|57014|25006|25P03|40001|40P01|55P03)$/;

/** Faults of a statement whose table or column is not there: SQLSTATE 42P01 and 42703, and SQLite's words for them. */
const MISSING_SQLSTATE = /^(42P01|42703)$/;
const MISSING_TEXT = /^(SqliteError: )?no such (table|column): /;

/** Error codes of the network and of SQLite that mean the same. */
const UNAVAILABLE_CODE =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|SQLITE_BUSY.*|SQLITE_LOCKED.*|SQLITE_FULL|SQLITE_IOERR.*|SQLITE_READONLY.*|SQLITE_CANTOPEN.*)$/;

/**
 * Messages without a code: of node-postgres, when the pool is exhausted or the connection went away, and of TypeORM, in two
 * forms, when that happened between two statements of a transaction.
 */
const UNAVAILABLE_TEXT =
  /timeout exceeded when trying to connect|Connection terminated|Connection ended|Client has encountered a connection error|Query read timeout|database connection is not open|Query runner already released|query runner was already released/i;

/** A text that PostgreSQL cannot store (SQLSTATE 22021, 22P05): one with U+0000. What takes texts should refuse it earlier. */
const UNSTORABLE_SQLSTATE = /^(22021|22P05)$/;

/** Faults of a database that is there but did not respond in time: a statement, lock or connection of the pool was waited for too long. */
const LATE_CODE = /^(57014|55P03|SQLITE_BUSY.*|SQLITE_LOCKED.*)$/;
const LATE_TEXT = /timeout exceeded when trying to connect|Query read timeout/i;

/** The driver's code of an error, also when TypeORM has wrapped it. */
export function driverCode(error: unknown): string | undefined {
  if (error instanceof AppError) return error.cause === undefined ? undefined : driverCode(error.cause);
  const { driverError, code } = error as { driverError?: { code?: unknown }; code?: unknown };
  const found = driverError?.code ?? code;
  return typeof found === 'string' ? found : undefined;
}

/** Tells whether an error reports a violated unique constraint (SQLSTATE 23505). */
export function isUniqueViolation(error: unknown): boolean {
  if (error instanceof DuplicateValueError) return true;
  return /^(23505|SQLITE_CONSTRAINT_UNIQUE|SQLITE_CONSTRAINT_PRIMARYKEY)$/.test(driverCode(error) ?? '');
}

/**
 * Tells whether an error reports a violated foreign key (SQLSTATE 23503, 23001 with RESTRICT): a target is missing, or is still
 * referred to. SQLite carries out RESTRICT as a trigger.
 */
export function isForeignKeyViolation(error: unknown): boolean {
  const code = driverCode(error) ?? '';
  if (/^(23503|23001|SQLITE_CONSTRAINT_FOREIGNKEY)$/.test(code)) return true;
  return code === 'SQLITE_CONSTRAINT_TRIGGER' && /FOREIGN KEY/.test((error as Error).message);
}

/**
 * Tells whether an error reports that other transactions won: a serialization failure or a deadlock (SQLSTATE 40001 and 40P01),
 * as the driver reports it or as the 503 it became. Nothing was changed, and the same work may succeed now.
 */
export function isConflict(error: unknown): boolean {
  const reported = error instanceof AppError ? error.cause : error;
  return Error.isError(reported) && /^(40001|40P01)$/.test(driverCode(reported) ?? '');
}

/** The columns whose values another row has already, as SQLite tells; PostgreSQL names the constraint in their place. */
export function duplicateColumns(error: unknown): string[] {
  const { message = '' } = ((error as { driverError?: Error }).driverError ?? error) as { message?: string };
  const [, columns] = /UNIQUE constraint failed: (.*)$/.exec(message) ?? [];
  return columns?.split(', ').map((column) => column.slice(column.indexOf('.') + 1)) ?? [];
}

/** The table of a violated unique constraint. */
export function violatedTable(error: unknown): string | undefined {
  const { table, message = '' } = ((error as { driverError?: unknown }).driverError ?? error) as {
    table?: string;
    message?: string;
  };
  return table ?? /UNIQUE constraint failed: (?:index ')?(\w+)\./.exec(message)?.[1];
}

/**
 * Name of the constraint an error is about; SQLite does not tell that of a foreign key. Citus passes on only the message of a worker.
 */
export function violatedConstraint(error: unknown): string | undefined {
  const { driverError = {} } = error as { driverError?: { constraint?: string; message?: string } };
  return driverError.constraint ?? /constraint "([^"]+)"/.exec(driverError.message ?? '')?.[1];
}

/**
 * Tells whether a violated constraint has a name, or is that of a shard of Citus, which adds the shard's number, from 102008
 * on.
 */
export function isConstraint(violated: string | undefined, name: string | undefined): boolean {
  if (violated === undefined || name === undefined) return false;
  return violated === name || (violated.startsWith(name) && /^_\d{6,}$/.test(violated.slice(name.length)));
}

/**
 * The key that a row refers to and no row has, as PostgreSQL tells it in every language: `Key (pet_id)=(7) is not present in …`.
 * SQLite does not tell.
 */
export function missingKey(error: unknown): bigint | undefined {
  const { detail = '' } = (error as { driverError?: { detail?: string } }).driverError ?? {};
  const [, key] = /\)=\((-?\d+)\)/.exec(detail) ?? [];
  return key === undefined ? undefined : BigInt(key);
}

/** Tells whether an error reports that a table or a column is missing. */
export function isSchemaBehind(error: unknown): boolean {
  if (error instanceof AppError) return error.cause !== undefined && isSchemaBehind(error.cause);
  return MISSING_SQLSTATE.test(driverCode(error) ?? '') || MISSING_TEXT.test((error as Error).message);
}

/** Tells whether an error of the driver means that the database cannot serve now. */
export function isUnavailable(error: Error): boolean {
  const code = driverCode(error) ?? '';
  return (
    UNAVAILABLE_SQLSTATE.test(code) || UNAVAILABLE_CODE.test(code) || UNAVAILABLE_TEXT.test(error.message)
  );
}

/** Turns "the database cannot serve now" into 503, and a text that it cannot store into 400; returns any other error unchanged. */
export function translateDriverError(error: unknown): unknown {
  if (error instanceof AppError || !Error.isError(error)) return error;
  if (isSchemaBehind(error)) {
    return new ServiceUnavailableError({
      message:
        'The database of the service lacks a table or a column: it is not migrated, or someone has changed it.',
      cause: error,
    });
  }
  if (UNSTORABLE_SQLSTATE.test(driverCode(error) ?? '')) {
    return new InvalidRequestError({
      message: 'A text contains U+0000, which cannot be stored.',
      cause: error,
    });
  }
  if (!isUnavailable(error)) return error;
  return new ServiceUnavailableError({ message: unavailableMessage(error), cause: error });
}

/** Reasons for which a database serves reads alone. */
export const DISK_FULL = 'The disk of the database is full: nothing can be changed until there is room.';
export const ACCEPTS_NO_CHANGES = 'The database accepts no changes at the moment, only reads.';

/** These reasons by SQLSTATE and code of SQLite. */
const UNWRITABLE: readonly (readonly [RegExp, string])[] = [
  [/^(53100|SQLITE_FULL)$/, DISK_FULL],
  [/^(25006|SQLITE_READONLY.*)$/, ACCEPTS_NO_CHANGES],
];

/** Returns in a sentence why a database serves reads alone; undefined for every other fault. */
export function refusedWrite(error: unknown): string | undefined {
  const code = driverCode(error) ?? '';
  return UNWRITABLE.find(([codes]) => codes.test(code))?.[1];
}

/** The message of a 503 where the default, that the database cannot be reached, would be untrue. */
function unavailableMessage(error: Error): string | undefined {
  const refusal = refusedWrite(error);
  if (refusal !== undefined) return refusal;
  if (isConflict(error))
    return 'Other requests changed the same records at the same time; try again shortly.';
  const isLate = LATE_CODE.test(driverCode(error) ?? '') || LATE_TEXT.test(error.message);
  return isLate ? 'The database did not respond in time; try again shortly.' : undefined;
}

/** A statement that failed in a way the service did not expect. */
class StatementFault extends Error {
  constructor(readonly driverError: Error) {
    super(driverError.message, { cause: driverError });
  }
}

/**
 * Returns the error to report for a failed statement. It is made where the statement was asked for: the driver's own stack ends
 * where writes are gathered, and the log should show the caller.
 */
export function statementFailure(error: unknown): unknown {
  const translated = translateDriverError(error);
  const isExplained = translated !== error || translated instanceof AppError;
  return isExplained || !Error.isError(error) ? translated : new StatementFault(error);
}
