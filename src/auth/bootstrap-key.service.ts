import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { SchemaReadiness } from '../platform/database/schema-state';
import { InjectLogger, type Logger } from '../platform/logging/logging.module';
import { ApiKeysService } from './api-keys.service';

/** How often a start on a database that is behind looks whether it has been migrated, in milliseconds. */
const RETRY_INTERVAL_MS = 1_000;

/** Sees to it that the configured key works: at the start, or as soon as somebody has migrated the database. */
@Injectable()
export class BootstrapKeyService implements OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly keys: ApiKeysService,
    private readonly schema: SchemaReadiness,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** @throws ApiKeyRefusal when the key was revoked; after the start that goes to the log */
  async ensure(token: string): Promise<void> {
    if (await this.schema.isCurrent()) return this.keys.bootstrap(token);
    this.timer = setInterval(() => void this.retry(token), RETRY_INTERVAL_MS).unref();
  }

  private async retry(token: string): Promise<void> {
    try {
      if (!(await this.schema.isCurrent())) return;
      clearInterval(this.timer);
      await this.keys.bootstrap(token);
    } catch (error) {
      this.logger.error({ err: error }, 'The BOOTSTRAP_API_KEY does not work yet.');
    }
  }
}
