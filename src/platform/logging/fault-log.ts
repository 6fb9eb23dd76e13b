import type { OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { ServiceUnavailableError } from '../errors/http-errors';

/** Milliseconds for which lines of further 503 faults are left out after one. */
const INTERVAL_MS = 1_000;

/**
 * Logs faults that come in great number while the database is away: of all faults with 503, one line a second with its stack,
 * and the number of lines left out. The line of each request has its code all the same. Every other fault is logged.
 */
export class FaultLog implements OnApplicationShutdown {
  private leftOut = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly logger: Logger) {}

  error(fault: unknown, message: string, members: object = { err: fault }): void {
    this.log('error', fault, message, members);
  }

  warn(fault: unknown, message: string, members: object = { err: fault }): void {
    this.log('warn', fault, message, members);
  }

  onApplicationShutdown(): void {
    this.flush();
  }

  private log(level: 'error' | 'warn', fault: unknown, message: string, members: object): void {
    const isOfMany = fault instanceof ServiceUnavailableError;
    if (isOfMany && this.timer) {
      this.leftOut += 1;
      return;
    }
    this.logger[level](members, message);
    if (isOfMany) this.timer = setTimeout(() => this.flush(), INTERVAL_MS).unref();
  }

  /** Logs the number of lines left out, if any. */
  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.leftOut === 0) return;
    const { leftOut } = this;
    this.leftOut = 0;
    this.logger.error(
      { requestId: undefined, leftOut },
      'More faults with 503 came within a second; their lines were left out.',
    );
  }
}
