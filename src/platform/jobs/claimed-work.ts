import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { inspect } from 'node:util';
import pTimeout from 'p-timeout';
import type { DatabaseClock } from '../database/database-clock';
import type { FaultLog } from '../logging/fault-log';
import { isRunning } from './is-running';
import { storableText } from '../values/kinds/text.kind';

/** Milliseconds after its last sign of life at which a process counts as dead. */
export const LEASE_MS = 15_000;

/** Milliseconds that a stop waits for the work. Another process repeats work that has not ended by then. */
const STOP_LIMIT_MS = 5_000;

/** Most characters of an error that are stored. */
const MAX_ERROR_LENGTH = 1_000;

/** The process that holds a row, and the end of its hold. */
export interface Lease {
  readonly lockedBy: string;
  readonly now: Date;
  readonly lockedUntil: Date;
}

/** The work of this process on rows it has claimed: their leases are renewed while the work runs, and a stop waits for it. */
export class ClaimedWork<Key> {
  /** Name of this process in its leases: host, process id, and a unique part. */
  readonly lockedBy = `${hostname()} ${process.pid} ${randomUUID()}`;
  private readonly running = new Map<Promise<void>, readonly Key[]>();
  private renewal: NodeJS.Timeout | undefined;

  /** @param renew stores a later end of the leases of some rows */
  constructor(
    private readonly clock: DatabaseClock,
    private readonly faults: FaultLog,
    private readonly renew: (keys: readonly Key[], lockedBy: string, lockedUntil: Date) => Promise<void>,
  ) {}

  /** Number of pieces of work, however many rows each is about. */
  get size(): number {
    return this.running.size;
  }

  has(key: Key): boolean {
    return this.keys().includes(key);
  }

  /** Returns a lease that begins now. */
  async lease(): Promise<Lease> {
    const now = await this.clock.now();
    return { lockedBy: this.lockedBy, now, lockedUntil: leaseFrom(now) };
  }

  /**
   * Begins a piece of work on rows that have been claimed.
   *
   * @param work never rejects
   * @param onEnd runs when the work has ended and is no longer counted
   */
  start(keys: readonly Key[], work: Promise<void>, onEnd: () => void = () => undefined): void {
    this.renewal ??= setInterval(() => void this.renewAll(), LEASE_MS / 3).unref();
    const run = work.finally(() => {
      this.running.delete(run);
      onEnd();
    });
    this.running.set(run, keys);
  }

  /** Waits for running work, at most {@link STOP_LIMIT_MS}. */
  async stop(): Promise<void> {
    await pTimeout(Promise.all(this.running.keys()), { milliseconds: STOP_LIMIT_MS, message: false });
    clearInterval(this.renewal);
  }

  private keys(): Key[] {
    return [...this.running.values()].flat();
  }

  private async renewAll(): Promise<void> {
    if (this.running.size === 0) return;
    try {
      await this.renew(this.keys(), this.lockedBy, leaseFrom(await this.clock.now()));
    } catch (error) {
      this.faults.warn(error, 'The lease of work in progress could not be renewed.');
    }
  }
}

/**
 * True if another process with a lease was one of this machine, and has ended or had the id of this one. For commands, which
 * people repeat at once. Whoever has lost a lease by a wrong guess, for two machines of one name, finds that at the next step.
 */
export function hasEnded(lockedBy: string): boolean {
  const [host, pid] = lockedBy.split(' ');
  return host === hostname() && (Number(pid) === process.pid || !isRunning(Number(pid)));
}

/** Writes whatever was thrown as it is stored for operators; never throws. */
export function errorText(error: unknown): string {
  return storableText(textOf(error).slice(0, MAX_ERROR_LENGTH));
}

/** Some values have no text: `Object.create(null)`, and one whose `toString()` throws. */
function textOf(error: unknown): string {
  try {
    return String(error);
  } catch {
    return inspect(error, { customInspect: false, getters: false });
  }
}

function leaseFrom(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS);
}
