import { writeSync } from 'node:fs';
import type { LogDestination } from './log-output';

/** What a pipe takes as a whole, whatever other processes write to it, in bytes (PIPE_BUF of Linux). */
const MAX_BATCH_BYTES = 4_096;

/** How long a line that may wait does so at most, in milliseconds. */
const MAX_WAIT_MS = 500;

/** How soon what the reader had no room for is tried again while it reads, in milliseconds. */
const MIN_RETRY_MS = 1;

/** The same when it has not read for long. */
const MAX_RETRY_MS = 100;

/** Up to how much is kept for the reader lines that may wait are kept, in bytes. */
const ROOM_BYTES = 1024 * 1024;

/** The same for all others, so that faults are still kept when the lines of requests are dropped. */
const ROOM_FOR_FAULTS_BYTES = 2 * ROOM_BYTES;

/** How long an exit waits for the reader to make room, in milliseconds. */
const EXIT_WAIT_MS = 500;

/** How often it looks meanwhile, in milliseconds. */
const EXIT_RETRY_MS = 10;

const clock = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes lines to a file descriptor that is in non-blocking mode, at once where the reader has room for them. What it has
 * no room for is kept, as far as the bounds allow, and written when it has; the rest is dropped and counted. So no line
 * ever waits for the reader.
 *
 * Lines of requests are gathered for half a second, because a write(2) each costs more than the line. What goes out
 * together are whole lines, few enough that those of several processes on one pipe do not run into each other.
 */
export class LogStream implements LogDestination {
  /** How many lines have been dropped. */
  dropped = 0;
  /** Is told how many lines were dropped, once all that was kept has been written. */
  onGap: ((lines: number) => void) | undefined;
  private gathered = '';
  private gatheredLines = 0;
  private readonly kept: Buffer[] = [];
  private keptBytes = 0;
  private untold = 0;
  private retryMs = MIN_RETRY_MS;
  private isReaderSlow = false;
  private timer: NodeJS.Timeout | undefined;

  /** @param prepare puts the descriptor into non-blocking mode, where others may take it out of it */
  constructor(
    private readonly fd: number,
    private readonly prepare?: () => void,
  ) {}

  /** Writes a line at once, after those gathered. */
  write(line: string): void {
    this.flush();
    this.put(line, 1, ROOM_FOR_FAULTS_BYTES);
  }

  /** Takes a line of ASCII text, to be written within half a second. */
  writeLater(line: string): void {
    if (this.gathered.length + line.length > MAX_BATCH_BYTES) this.flush();
    this.gathered += line;
    this.gatheredLines += 1;
    this.flushWithin(MAX_WAIT_MS);
  }

  /** Writes what has been gathered and kept, as far as the reader has room. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { gathered, gatheredLines } = this;
    this.gathered = '';
    this.gatheredLines = 0;
    if (gatheredLines > 0) this.put(gathered, gatheredLines, ROOM_BYTES);
    else this.writeKept();
  }

  /** The same when the process exits: a reader that is only slow is given a moment. */
  flushAtExit(): void {
    const end = performance.now() + EXIT_WAIT_MS;
    this.flush();
    while (this.isReaderSlow && performance.now() < end) {
      Atomics.wait(clock, 0, 0, EXIT_RETRY_MS);
      this.flush();
    }
  }

  private put(text: string, lines: number, room: number): void {
    const bytes = Buffer.from(text);
    if (this.keptBytes + bytes.length > room) {
      this.dropped += lines;
      this.untold += lines;
    } else {
      this.kept.push(bytes);
      this.keptBytes += bytes.length;
    }
    this.writeKept();
  }

  private writeKept(): void {
    if (this.kept.length > 0) this.prepare?.();
    this.retryMs = Math.min(2 * this.retryMs, MAX_RETRY_MS);
    for (let next = this.kept[0]; next; next = this.kept[0]) {
      const written = this.tryToWrite(next);
      if (written === undefined) return this.flushWithin(this.retryMs);
      this.retryMs = MIN_RETRY_MS;
      this.keptBytes -= written;
      if (written < next.length) this.kept[0] = next.subarray(written);
      else this.kept.shift();
    }
    this.tellGap();
  }

  /** @returns how many bytes were written; undefined when none can be now */
  private tryToWrite(bytes: Buffer): number | undefined {
    try {
      const written = writeSync(this.fd, bytes);
      this.isReaderSlow = false;
      return written;
    } catch (error) {
      // Anything else may pass too: a full disk has room again, a pipe another reader. It is no reason to stop serving.
      this.isReaderSlow = (error as NodeJS.ErrnoException).code === 'EAGAIN';
      return undefined;
    }
  }

  private tellGap(): void {
    const lines = this.untold;
    this.untold = 0;
    if (lines > 0) this.onGap?.(lines);
  }

  private flushWithin(ms: number): void {
    this.timer ??= setTimeout(() => this.flush(), ms).unref();
  }
}
