import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ServiceUnavailableError } from '../../errors/http-errors';
import type { PoolState } from '../driver/pool-state';

/** A statement for the thread. */
export interface Scan {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** The rows of a statement, or why it failed. */
export type ScanOutcome =
  | { readonly rows: unknown[]; readonly fault?: never }
  | {
      readonly rows?: never;
      readonly fault: { readonly message: string; readonly code: string | undefined };
    };

interface WaitingScan extends Scan {
  readonly end: (outcome: ScanOutcome) => void;
  readonly fail: (error: Error) => void;
}

/** Most statements that wait for the one that runs. */
const MOST_WAITING = 64;

/** Longest time that a statement may wait and run, in milliseconds. */
const LONGEST_MS = 10_000;

/** Time without a statement after which the thread ends and gives its memory back, in milliseconds. */
const IDLE_MS = 60_000;

/**
 * A thread with a read-only connection of its own to a SQLite file. What runs there stops no request; in WAL mode it sees whatever was
 * committed before it began. One statement runs at a time. The thread starts at the first, and ends when there were none for a while.
 *
 * SQLite cannot be interrupted from another thread: a statement that takes too long fails for its caller, and is waited for before the
 * next one begins. So a statement that may take long reads a part, and its caller asks for the next.
 */
export class ScanThread {
  private worker: Worker | undefined;
  private running: WaitingScan | undefined;
  private readonly waiting: WaitingScan[] = [];
  private idle: NodeJS.Timeout | undefined;
  private ending: Promise<unknown> = Promise.resolve();

  constructor(private readonly file: string) {}

  /** State of the thread's connection. */
  get state(): PoolState {
    const used = this.running ? 1 : 0;
    return { used, idle: this.worker ? 1 - used : 0, waiting: this.waiting.length, max: 1 };
  }

  /**
   * Runs a SELECT.
   *
   * @throws ServiceUnavailableError when too many wait, it takes too long, or the thread dies; or the driver's error
   */
  run<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    if (this.waiting.length >= MOST_WAITING) return Promise.reject(new BusyError());
    return new Promise<Row[]>((resolve, reject) => {
      const timer = setTimeout(() => this.giveUp(scan), LONGEST_MS);
      const scan: WaitingScan = {
        ...{ sql, values },
        end: ({ rows, fault }) => {
          clearTimeout(timer);
          if (fault) reject(Object.assign(new Error(fault.message), { code: fault.code }));
          else resolve(rows.map(asDriver) as Row[]);
        },
        fail: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.waiting.push(scan);
      this.runNext();
    });
  }

  /** Ends the thread, once the statement that runs there has ended. */
  async close(): Promise<void> {
    clearTimeout(this.idle);
    this.end();
    await this.ending;
  }

  private runNext(): void {
    if (this.running) return;
    clearTimeout(this.idle);
    this.running = this.waiting.shift();
    if (!this.running) {
      this.idle = setTimeout(() => this.end(), IDLE_MS).unref();
      return;
    }
    const { sql, values } = this.running;
    this.worker ??= this.start();
    this.worker.postMessage({ sql, values } satisfies Scan, []);
  }

  private start(): Worker {
    // Jest loads the source, a build its output.
    const program = join(__dirname, `scan-worker${extname(__filename)}`);
    const worker = new Worker(program, { workerData: this.file, name: 'scan' });
    // The timer of a statement keeps the process alive while one is asked for.
    worker.unref();
    let fault: unknown;
    worker.on('error', (error: unknown) => {
      fault = error;
    });
    worker.on('message', (outcome: ScanOutcome) => {
      const { running } = this;
      this.running = undefined;
      this.runNext();
      running?.end(outcome);
    });
    worker.on('exit', () => {
      if (this.worker !== worker) return;
      this.worker = undefined;
      const { running } = this;
      this.running = undefined;
      running?.fail(new ServiceUnavailableError({ cause: fault ?? new Error('The thread has ended.') }));
      this.runNext();
    });
    return worker;
  }

  private end(): void {
    const { worker } = this;
    this.worker = undefined;
    if (worker) this.ending = worker.terminate();
    for (const scan of this.waiting.splice(0)) scan.fail(new ServiceUnavailableError());
    this.running?.fail(new ServiceUnavailableError());
    this.running = undefined;
  }

  private giveUp(scan: WaitingScan): void {
    const place = this.waiting.indexOf(scan);
    if (place !== -1) this.waiting.splice(place, 1);
    scan.fail(new BusyError());
  }
}

/** Long reads hold one another up. */
class BusyError extends ServiceUnavailableError {
  constructor() {
    super({ message: 'Too many rows are being read from the database; retry shortly.' });
  }
}

/** A row as the driver gives it: on the way between threads a Buffer becomes a plain array of bytes. */
function asDriver(row: unknown): unknown {
  for (const [name, value] of Object.entries(row as object)) {
    if (value instanceof Uint8Array) Object.assign(row as object, { [name]: Buffer.from(value) });
  }
  return row;
}
