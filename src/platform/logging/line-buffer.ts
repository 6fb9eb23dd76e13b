import type { DestinationStream } from 'pino';

/** What a pipe takes as a whole, whoever else writes to it, in bytes (PIPE_BUF of Linux). */
const MAX_BYTES = 4_096;

/** How long a line waits at most, in milliseconds. */
const MAX_WAIT_MS = 500;

/**
 * Gathers lines in front of a destination, so that a line a request does not cost a write(2) each. What is handed on are
 * whole lines, few enough at a time that those of several processes on one pipe do not run into each other.
 */
export class LineBuffer implements DestinationStream {
  private held = '';
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly destination: DestinationStream) {}

  /** Hands on a line now, after those held. */
  write(line: string): void {
    this.flush();
    this.destination.write(line);
  }

  /** Takes a line of ASCII text, to be handed on within half a second. */
  writeLater(line: string): void {
    if (this.held.length + line.length > MAX_BYTES) this.flush();
    this.held += line;
    this.timer ??= setTimeout(() => this.flush(), MAX_WAIT_MS).unref();
  }

  /** Hands on what is held. */
  flush(): void {
    if (this.held === '') return;
    const lines = this.held;
    this.held = '';
    clearTimeout(this.timer);
    this.timer = undefined;
    this.destination.write(lines);
  }
}
