import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { InjectLogger, type Logger } from '../../platform/logging/logging.module';
import { OperationUses } from '../../platform/http/operations/operation-uses';
import { ApiKeysRepository } from '../api-keys.repository';
import { OperationUsesRepository, type Uses } from './operation-uses.repository';
import { DAY_MS } from '../../platform/values/calendar';

const FLUSH_INTERVAL_MS = 60_000;

/** Entries that one transaction writes: it takes some milliseconds, so that requests get their turn on SQLite. */
const BATCH = 100;

interface Count {
  count: number;
  /** Unix time in milliseconds. */
  lastUsedAt: number;
}

/**
 * Gathers in memory when keys were last used and how often they called each operation, and writes that about once a minute and
 * at the end: a write per request would cost more than the request.
 */
@Injectable()
export class KeyUsage extends OperationUses implements OnModuleInit, OnApplicationShutdown {
  /** Time of the last use by key id; Unix time in milliseconds. */
  private lastUsed = new Map<string, number>();
  /** Counts of the day in progress, by key id and operation: no text is made for a request. */
  private counts = new Map<string, Map<string, Count>>();
  private dayEnds = 0;
  /** Uses to be written, by key id, operation and day. */
  private readonly unwritten = new Map<string, Uses>();
  private flushing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly operationUses: OperationUsesRepository,
    private readonly database: Database,
    @InjectLogger() private readonly logger: Logger,
  ) {
    super();
  }

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flushing;
    await this.flush();
  }

  /** Notes that a key was used. @param now Unix time in milliseconds */
  noteUse(keyId: string, now: number): void {
    this.lastUsed.set(keyId, now);
  }

  count(keyId: string, operation: string, now = Date.now()): void {
    if (now >= this.dayEnds) this.endDay(now);
    let ofKey = this.counts.get(keyId);
    if (!ofKey) this.counts.set(keyId, (ofKey = new Map<string, Count>()));
    const use = ofKey.get(operation);
    if (!use) ofKey.set(operation, { count: 1, lastUsedAt: now });
    else {
      use.count++;
      use.lastUsedAt = now;
    }
  }

  /** Writes what has gathered. Whatever could not be written is kept for the next time. */
  flush(): Promise<void> {
    this.flushing ??= this.write().finally(() => (this.flushing = undefined));
    return this.flushing;
  }

  private async write(): Promise<void> {
    this.gather();
    try {
      await this.writeLastUses();
      await this.writeUses();
    } catch (error) {
      this.logger.warn(
        { err: error },
        'The use of API keys could not be recorded; the next attempt is in a minute.',
      );
    }
  }

  private async writeLastUses(): Promise<void> {
    for (const batch of batches([...this.lastUsed].sort(byFirst))) {
      await this.database.transaction(async () => {
        for (const [id, usedAt] of batch) await this.keys.touch(id, new Date(usedAt));
      });
      for (const [id, usedAt] of batch) if (this.lastUsed.get(id) === usedAt) this.lastUsed.delete(id);
    }
  }

  private async writeUses(): Promise<void> {
    // Sorted: two nodes that write the same rows in different orders could wait for each other.
    for (const batch of batches([...this.unwritten].sort(byFirst))) {
      for (const [place] of batch) this.unwritten.delete(place);
      try {
        await this.database.transaction(async () => {
          for (const [, uses] of batch) await this.operationUses.add(uses);
        });
      } catch (error) {
        for (const [, uses] of batch) this.enqueue(uses);
        throw error;
      }
    }
  }

  private endDay(now: number): void {
    this.gather();
    this.dayEnds = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  }

  /** Moves the counts to the uses to be written, under their day. */
  private gather(): void {
    const { counts } = this;
    if (counts.size === 0) return;
    this.counts = new Map();
    const day = new Date(this.dayEnds - DAY_MS).toISOString().slice(0, 10);
    for (const [keyId, ofKey] of counts) {
      for (const [operation, { count, lastUsedAt }] of ofKey) {
        this.enqueue({ keyId, operation, day, count: BigInt(count), lastUsedAt: new Date(lastUsedAt) });
      }
    }
  }

  /** Adds to the uses to be written. */
  private enqueue(uses: Uses): void {
    const place = `${uses.keyId} ${uses.operation} ${uses.day}`;
    const other = this.unwritten.get(place);
    if (!other) this.unwritten.set(place, uses);
    else {
      other.count += uses.count;
      if (uses.lastUsedAt > other.lastUsedAt) other.lastUsedAt = uses.lastUsedAt;
    }
  }
}

function byFirst([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function batches<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / BATCH);
  return Array.from({ length: count }, (_, index) => all.slice(index * BATCH, (index + 1) * BATCH));
}
