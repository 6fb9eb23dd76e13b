import pTimeout from 'p-timeout';
import type { Logger } from '../logging/logging.module';

/** Looks for work again and again until the process stops. An outage of the database is logged once, and waited for. */
export class PollLoop {
  private woken = Promise.withResolvers<void>();
  private polling: Promise<void> | undefined;
  private isFailing = false;
  private hasStopped = false;

  /**
   * @param poll begins the work that is due; resolves to the milliseconds to wait before the next poll
   * @param failure sentence for the log when a poll fails
   * @param pauseMs milliseconds to wait then
   */
  constructor(
    private readonly poll: () => Promise<number>,
    private readonly logger: Logger,
    private readonly failure: string,
    private readonly pauseMs: number,
  ) {}

  /** True once the process stops: no further work is to begin. */
  get isStopping(): boolean {
    return this.hasStopped;
  }

  begin(): void {
    this.polling ??= this.run();
  }

  /** Ends the wait for the next poll. */
  wake(): void {
    this.woken.resolve();
  }

  /** Ends the loop, after the poll in progress. */
  async stop(): Promise<void> {
    this.hasStopped = true;
    this.wake();
    await this.polling;
  }

  private async run(): Promise<void> {
    while (!this.hasStopped) {
      // Renewed before the poll: work that is stored during the poll ends the wait after it.
      this.woken = Promise.withResolvers<void>();
      const milliseconds = await this.tryPoll();
      if (milliseconds > 0) await pTimeout(this.woken.promise, { milliseconds, message: false });
    }
  }

  private async tryPoll(): Promise<number> {
    try {
      const milliseconds = await this.poll();
      this.isFailing = false;
      return milliseconds;
    } catch (error) {
      if (!this.isFailing) this.logger.warn({ err: error }, this.failure);
      this.isFailing = true;
      return this.pauseMs;
    }
  }
}
