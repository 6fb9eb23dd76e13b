import type { Scan, ScanOutcome } from './scan-thread';

// No import but of types: tests load this file as it is, and Node then takes it for the CommonJS that a build makes of it.
const path = require('node:path') as typeof import('node:path');
const threads = require('node:worker_threads') as typeof import('node:worker_threads');
const SqliteDatabase = require('better-sqlite3') as typeof import('better-sqlite3');

/** Thread of statements on SQLite that may read many rows; `ScanThread` starts it. */
const database = new SqliteDatabase(threads.workerData as string, { readonly: true, fileMustExist: true });
database.pragma('cache_size = -8192');
database.defaultSafeIntegers(true);
// Jest loads the source, a build its output.
const anyCase = path.join(__dirname, '..', 'driver', `any-case${path.extname(__filename)}`);
(require(anyCase) as typeof import('../driver/any-case')).defineAnyCase(database);

function outcomeOf({ sql, values }: Scan): ScanOutcome {
  try {
    return { rows: database.prepare(sql).all(...values) };
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    return { fault: { message, code } };
  }
}

const { parentPort } = threads;
parentPort?.on('message', (scan: Scan) => parentPort.postMessage(outcomeOf(scan), []));
