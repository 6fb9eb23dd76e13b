import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { SchemaReadiness } from '../platform/database/schema/schema-state';
import { ServiceUnavailableError } from '../platform/errors/http-errors';
import { InjectLogger, type Logger } from '../platform/logging/logging.module';
import { ApiKeyRefusedError } from './api-keys.errors';
import { ApiKeysService } from './api-keys.service';

/** Milliseconds between two attempts. */
const RETRY_INTERVAL_MS = 1_000;

/**
 * Makes sure that the configured key works: at the start, or as soon as the database is migrated and serves. The log reports
 * each change once.
 */
@Injectable()
export class BootstrapKeyService implements OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private hasFailed = false;
  private isStopped = false;

  constructor(
    private readonly keys: ApiKeysService,
    private readonly schema: SchemaReadiness,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  onApplicationShutdown(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  /**
   * Tries once, and again until it has worked if the database cannot serve now.
   *
   * @throws ApiKeyRefusedError when the key was revoked or disabled; after the start that goes to the log, and ends the
   * attempts
   */
  async ensure(token: string): Promise<void> {
    try {
      if (await this.attempt(token)) return;
    } catch (error) {
      if (!(error instanceof ServiceUnavailableError)) throw error;
      this.noteFailure(error);
    }
    this.tryLater(token);
  }

  /** @returns true if the key works now; false while the database waits for its migration */
  private async attempt(token: string): Promise<boolean> {
    if (!(await this.schema.isCurrent())) return false;
    await this.keys.bootstrap(token);
    return true;
  }

  private async tryAgain(token: string): Promise<void> {
    try {
      if (await this.attempt(token)) {
        this.logger.info('The BOOTSTRAP_API_KEY works.');
        return;
      }
    } catch (error) {
      if (this.isStopped) return;
      if (error instanceof ApiKeyRefusedError) {
        this.logger.error({ err: error }, 'The BOOTSTRAP_API_KEY is refused.');
        return;
      }
      this.noteFailure(error);
    }
    this.tryLater(token);
  }

  private tryLater(token: string): void {
    if (!this.isStopped) this.timer = setTimeout(() => void this.tryAgain(token), RETRY_INTERVAL_MS).unref();
  }

  private noteFailure(error: unknown): void {
    if (this.hasFailed) return;
    this.hasFailed = true;
    this.logger.error({ err: error }, 'The BOOTSTRAP_API_KEY does not work yet; it is retried every second.');
  }
}
