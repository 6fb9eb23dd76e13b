import { writeSync } from 'node:fs';
import type { LogDestination } from './log-output';

/** Most bytes that a pipe takes as a whole, whatever other processes write to it (PIPE_BUF of Linux). */
const MAX_BATCH_BYTES = 4_096;

/** Longest time that a line may wait, in milliseconds. */
const MAX_WAIT_MS = 500;

/** Shortest pause before another try to write kept lines, while the reader reads, in milliseconds. */
const MIN_RETRY_MS = 1;

/** Longest such pause, when it has not read for long. */
const MAX_RETRY_MS = 100;

/** Bytes kept for the reader beyond which lines that may wait are dropped. */
const ROOM_BYTES = 1024 * 1024;

/**
 * Bytes beyond which all other lines are dropped: more, so that faults are still kept when the lines of requests are dropped.
 */
const ROOM_FOR_FAULTS_BYTES = 2 * ROOM_BYTES;

/** Longest time that an exit waits for the reader to make room, in milliseconds. */
const EXIT_WAIT_MS = 500;

/** Pause between two tries meanwhile, in milliseconds. */
const EXIT_RETRY_MS = 10;

const clock = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes lines to a file descriptor that is in non-blocking mode, at once where the reader has room for them. Other lines are
 * kept, as far as the bounds allow, and written when it has room; the rest are dropped and counted. So no line ever waits for
 * the reader.
 *
 * Lines of requests are gathered for half a second, because a write(2) for each costs more than the line. Each write has whole
 * lines, and few enough that those of several processes on one pipe do not run into each other.
 */
export class LogStream implements LogDestination {
  /** Lines dropped so far. */
  dropped = 0;
  /** Receives the number of dropped lines, once all kept lines have been written. */
  onGap: ((lines: number) => void) | undefined;
  private gathered = '';
  private gatheredLines = 0;
  private readonly kept: Buffer[] = [];
  private keptBytes = 0;
  private untold = 0;
  private retryMs = MIN_RETRY_MS;
  private isReaderSlow = false;
  private timer: NodeJS.Timeout | undefined;

  /** @param prepare puts the descriptor into non-blocking mode, if other processes may change its mode */
  constructor(
    private readonly fd: number,
    private readonly prepare?: () => void,
  ) {}

  get isBehind(): boolean {
    return this.keptBytes > 0;
  }

  /** Writes a line at once, after the gathered ones. */
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

  /** Writes gathered and kept lines, as far as the reader has room. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { gathered, gatheredLines } = this;
    this.gathered = '';
    this.gatheredLines = 0;
    if (gatheredLines > 0) this.put(gathered, gatheredLines, ROOM_BYTES);
    else this.writeKept();
  }

  /** Does the same as {@link flush} when the process exits, and gives a slow reader half a second. */
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

  /**
   * Tries to write bytes.
   *
   * @returns the number of bytes written; undefined when none can be written now
   */
  private tryToWrite(bytes: Buffer): number | undefined {
    try {
      const written = writeSync(this.fd, bytes);
      this.isReaderSlow = false;
      return written;
    } catch (error) {
      // Other errors may pass too: a full disk gets room again, a pipe another reader. They are no reason to stop serving.
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
