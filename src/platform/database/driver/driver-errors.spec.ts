import { runInNewContext } from 'node:vm';
import { AppError } from '../../errors/app-error';
import { NotFoundError } from '../../errors/http-errors';
import {
  isConstraint,
  driverCode,
  isForeignKeyViolation,
  isUniqueViolation,
  translateDriverError,
  violatedConstraint,
} from './driver-errors';

function fault(code: string | undefined, message = 'secret text'): Error {
  return Object.assign(new Error(message), code !== undefined && { code });
}

/** Wraps an error of a driver as TypeORM does. */
function wrapped(code: string): Error {
  return Object.assign(new Error('QueryFailedError: secret text'), { driverError: fault(code) });
}

describe('translateDriverError', () => {
  const UNREACHED = 'The service cannot reach its database; retry shortly.';
  const LATE = 'The database did not respond in time; try again shortly.';
  const FULL = 'The disk of the database is full: nothing can be changed until there is room.';
  const READ_ONLY = 'The database accepts no changes at the moment, only reads.';
  const CONFLICT = 'Other requests changed the same records at the same time; try again shortly.';

  it.each([
    ['08006', UNREACHED],
    ['53300', UNREACHED],
    ['57P01', UNREACHED],
    ['57P03', UNREACHED],
    ['57014', LATE],
    ['53100', FULL],
    ['25006', READ_ONLY],
    ['40001', CONFLICT],
    ['40P01', CONFLICT],
    ['55P03', LATE],
    ['ECONNREFUSED', UNREACHED],
    ['ECONNRESET', UNREACHED],
    ['ETIMEDOUT', UNREACHED],
    ['ENOTFOUND', UNREACHED],
    ['SQLITE_BUSY', LATE],
    ['SQLITE_BUSY_SNAPSHOT', LATE],
    ['SQLITE_LOCKED', LATE],
    ['SQLITE_FULL', FULL],
    ['SQLITE_IOERR_WRITE', UNREACHED],
    ['SQLITE_READONLY', READ_ONLY],
    ['SQLITE_CANTOPEN', UNREACHED],
  ])('makes 503 of %s, bare or wrapped, and keeps the cause for the log', (code, message) => {
    for (const error of [fault(code), wrapped(code)]) {
      const translated = translateDriverError(error) as AppError;
      expect(translated).toBeInstanceOf(AppError);
      expect(translated.toBody()).toEqual({
        code: 'service_unavailable',
        status: 503,
        message,
      });
      expect(translated.headers['Retry-After']).toBe('1');
      expect(translated.cause).toBe(error);
    }
  });

  it('makes 400 of a text that PostgreSQL cannot store', () => {
    expect(translateDriverError(wrapped('22021'))).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  it.each([
    ['timeout exceeded when trying to connect', LATE],
    ['Query read timeout', LATE],
    ['Connection terminated unexpectedly', UNREACHED],
    ['Query runner already released. Cannot run queries anymore.', UNREACHED],
    [
      'Database connection provided by a query runner was already released, cannot continue to use its querying methods anymore.',
      UNREACHED,
    ],
    ['Connection terminated due to connection timeout', UNREACHED],
    ['Client has encountered a connection error and is not queryable', UNREACHED],
    ['The database connection is not open', UNREACHED],
  ])('makes 503 of what has no code: %s', (text, message) => {
    expect(translateDriverError(fault(undefined, text))).toMatchObject({ status: 503, message });
  });

  it.each([
    ['42P01', 'relation "pets" does not exist'],
    ['42703', 'column "x" does not exist'],
    ['SQLITE_ERROR', 'no such table: pets'],
    ['SQLITE_ERROR', 'SqliteError: no such column: x'],
  ])('says that the database lacks a table or a column for %s %s', (code, message) => {
    const translated = translateDriverError(fault(code, message)) as AppError;
    expect(translated.toBody()).toMatchObject({
      code: 'service_unavailable',
      message:
        'The database of the service lacks a table or a column: it is not migrated, or someone has changed it.',
    });
  });

  it.each([
    ['23505', 'duplicate key'],
    ['23514', 'check violated'],
    ['42601', 'syntax error'],
    ['SQLITE_CONSTRAINT_UNIQUE', 'UNIQUE failed'],
    ['SQLITE_CORRUPT', 'malformed'],
    [undefined, 'Cannot read properties of undefined'],
    [undefined, 'there is no such table: pets'],
  ])('leaves another error unchanged: %s %s', (code, message) => {
    const error = fault(code, message);
    expect(translateDriverError(error)).toBe(error);
  });

  it('leaves errors of the service and values that are not errors unchanged', () => {
    const response = new NotFoundError({ cause: fault('ECONNREFUSED') });
    for (const thrown of [response, undefined, null, 'ECONNREFUSED', { code: 'ECONNREFUSED' }]) {
      expect(translateDriverError(thrown)).toBe(thrown);
    }
  });

  it('recognises an error of another realm', () => {
    const foreign = runInNewContext("Object.assign(new Error('x'), { code: 'ECONNREFUSED' })") as Error;
    expect(translateDriverError(foreign)).toMatchObject({ status: 503 });
  });
});

describe('driverCode', () => {
  it.each([
    [fault('23505'), '23505'],
    [wrapped('23505'), '23505'],
    [fault(undefined), undefined],
    [Object.assign(new Error('x'), { code: 7 }), undefined],
  ])('finds the code of an error', (error, code) => {
    expect(driverCode(error)).toBe(code);
  });
});

describe('isUniqueViolation', () => {
  it.each([
    ['23505', true],
    ['SQLITE_CONSTRAINT_UNIQUE', true],
    ['SQLITE_CONSTRAINT_PRIMARYKEY', true],
    ['23503', false],
    ['SQLITE_CONSTRAINT_CHECK', false],
    ['x23505', false],
  ])('judges the code %s: %s', (code, expected) => {
    expect(isUniqueViolation(wrapped(code))).toBe(expected);
  });
});

describe('isForeignKeyViolation', () => {
  it.each([
    ['23503', true],
    ['SQLITE_CONSTRAINT_FOREIGNKEY', true],
    ['23505', false],
    ['23502', false],
    ['SQLITE_CONSTRAINT', false],
    ['SQLITE_CONSTRAINT_TRIGGER', false],
    ['x23503', false],
    [undefined, false],
  ])('judges the code %s: %s', (code, expected) => {
    expect(isForeignKeyViolation(fault(code))).toBe(expected);
    expect(isForeignKeyViolation({ driverError: fault(code) })).toBe(expected);
  });
});

describe('violatedConstraint', () => {
  it('returns the name that the driver gives, if any', () => {
    const named = Object.assign(fault('23503'), { constraint: 'fk_tags_part_id' });
    expect(violatedConstraint({ driverError: named })).toBe('fk_tags_part_id');
    expect(violatedConstraint(wrapped('SQLITE_CONSTRAINT_FOREIGNKEY'))).toBeUndefined();
    expect(violatedConstraint(fault('23503'))).toBeUndefined();
  });

  it('returns the constraint that a shard of Citus names in its message, without the number of the shard', () => {
    const message =
      'insert or update on table "tags_102134" violates foreign key constraint "fk_tags_part_id_102134"';
    const violated = violatedConstraint({ driverError: Object.assign(fault('23503'), { message }) });
    expect(isConstraint(violated, 'fk_tags_part_id')).toBe(true);
    expect(isConstraint(violated, 'fk_tags_part')).toBe(false);
    expect(isConstraint('fk_tags_line_2', 'fk_tags_line')).toBe(false);
    expect(isConstraint(undefined, 'fk_tags_part_id')).toBe(false);
  });
});
