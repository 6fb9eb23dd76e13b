import type { Logger } from '../../logging/logging.module';

/** How long lines of faults are left out after one, in milliseconds. */
const INTERVAL_MS = 1_000;

/**
 * Logs a fault that every request meets, as while the database is away: one line a second with its stack, and how many were left out. The
 * line of each request has its code all the same.
 */
export class FaultLog {
  private leftOut = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly logger: Logger) {}

  error(members: object, message: string): void {
    if (this.timer) {
      this.leftOut += 1;
      return;
    }
    this.logger.error(members, message);
    this.timer = setTimeout(() => this.flush(), INTERVAL_MS).unref();
  }

  /** Tells how many were left out. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.leftOut === 0) return;
    const { leftOut } = this;
    this.leftOut = 0;
    this.logger.error(
      { requestId: undefined, leftOut },
      'More requests failed with 503 within a second; their lines were left out.',
    );
  }
}
