import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { InjectLogger, type Logger } from '../platform/logging/logging.module';
import { OperationUses } from '../platform/http/operation-uses';
import { ApiKeysRepository } from './api-keys.repository';
import type { OperationUse } from './operation-use.entity';
import { OperationUsesRepository } from './operation-uses.repository';

const FLUSH_INTERVAL_MS = 60_000;

/**
 * Gathers in memory when keys were last used and how often they called deprecated operations, and writes it about once a
 * minute and at the end: a write per request would cost more than the request.
 */
@Injectable()
export class KeyUsage extends OperationUses implements OnModuleInit, OnApplicationShutdown {
  private lastUsed = new Map<string, Date>();
  private uses = new Map<string, OperationUse>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly operationUses: OperationUsesRepository,
    @InjectLogger() private readonly logger: Logger,
  ) {
    super();
  }

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  /** Notes that a key was used now. */
  noteUse(keyId: string, now: Date): void {
    this.lastUsed.set(keyId, now);
  }

  count(keyId: string, operation: string): void {
    const lastUsedAt = new Date();
    const use = this.uses.get(`${keyId} ${operation}`);
    if (use) Object.assign(use, { count: use.count + 1n, lastUsedAt });
    else this.uses.set(`${keyId} ${operation}`, { keyId, operation, count: 1n, lastUsedAt });
  }

  /** Writes what has gathered. What could not be written is kept for the next time. */
  async flush(): Promise<void> {
    const { lastUsed, uses } = this;
    this.lastUsed = new Map();
    this.uses = new Map();
    try {
      for (const [id, usedAt] of lastUsed) {
        await this.keys.touch(id, usedAt);
        lastUsed.delete(id);
      }
      for (const [name, use] of uses) {
        await this.operationUses.add(use);
        uses.delete(name);
      }
    } catch (error) {
      this.logger.warn(
        { err: error },
        'The use of API keys could not be recorded; the next attempt is in a minute.',
      );
      for (const [id, usedAt] of lastUsed) if (!this.lastUsed.has(id)) this.lastUsed.set(id, usedAt);
      for (const [name, use] of uses) {
        const newer = this.uses.get(name);
        if (newer) newer.count += use.count;
        else this.uses.set(name, use);
      }
    }
  }
}
