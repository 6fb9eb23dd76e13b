import { Logger } from '@nestjs/common';
import { sourceOf } from '../../tracing/caller-place';
import { currentContext, operationOf } from '../../tracing/request-context';

/** Warns of a transaction that has SQLite's one connection for long, and names the code that began it. */
export class LongHold {
  private readonly since = performance.now();
  private readonly request = currentContext()?.request;
  private readonly timer: NodeJS.Timeout;
  private hasWarned = false;

  /**
   * @param longMs from when on it is long, in milliseconds
   * @param place where the transaction was begun, as far as that is known
   */
  constructor(
    private readonly longMs: number,
    private readonly place: string | undefined,
  ) {
    this.timer = setTimeout(() => this.warn(), longMs).unref();
  }

  end(): void {
    clearTimeout(this.timer);
    // For a process that was too busy for its timers.
    if (performance.now() - this.since > this.longMs) this.warn();
  }

  private warn(): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    const operation = this.request && operationOf(this.request);
    const holder = operation ?? (this.place ? `The work at ${sourceOf(this.place)}` : 'A transaction');
    new Logger('Transactions').warn(
      `${holder} has held the only SQLite connection in a transaction for more than ${this.longMs} ms while others wait for it. Make slow calls before the first statement of a transaction.`,
    );
  }
}
