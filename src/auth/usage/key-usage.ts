import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { WriteBuffer } from '../../platform/database/entities/write-buffer';
import { SchemaReadiness } from '../../platform/database/schema/schema-state';
import { InjectLogger, type Logger } from '../../platform/logging/logging.module';
import { ApiKeysRepository } from '../api-keys.repository';
import { OperationUsesRepository, type Uses } from './operation-uses.repository';
import { DAY_MS, dayOf } from '../../platform/values/calendar';

const FLUSH_INTERVAL_MS = 60_000;

/** Entries that one transaction writes. */
const BATCH = 100;

/** Most entries that wait for a database that is away: some 50 megabytes, and more than a day has of most services. */
const MAX_WAITING = 200_000;

/** Last use of a key. */
interface LastUse {
  readonly keyId: string;
  readonly usedAt: Date;
}

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
export class KeyUsage implements OnModuleInit, OnApplicationShutdown {
  /** Time of the last use by key id; Unix time in milliseconds. */
  private lastUsed = new Map<string, number>();
  /** Counts of the day in progress, by key id and operation: no text is made for a request. */
  private counts = new Map<string, Map<string, Count>>();
  private dayEnds = 0;
  private readonly lastUses: WriteBuffer<LastUse>;
  private readonly uses: WriteBuffer<Uses>;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    keys: ApiKeysRepository,
    operationUses: OperationUsesRepository,
    database: Database,
    schema: SchemaReadiness,
    @InjectLogger() logger: Logger,
  ) {
    const shared = {
      limit: MAX_WAITING,
      batch: BATCH,
      warning: 'The use of API keys could not be recorded; it is retried every minute.',
    };
    /** Writes in one transaction. In one order: two nodes that write the same rows could wait for each other. */
    const writeInOrder = <Row>(
      rows: readonly Row[],
      keyOf: (row: Row) => string,
      write: (row: Row) => Promise<void>,
    ) =>
      database.transaction(async () => {
        for (const row of rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))) await write(row);
      });
    this.lastUses = new WriteBuffer(schema, logger, {
      ...shared,
      keyOf: ({ keyId }) => keyId,
      write: (rows) =>
        writeInOrder(
          rows,
          ({ keyId }) => keyId,
          ({ keyId, usedAt }) => keys.touch(keyId, usedAt),
        ),
    });
    this.uses = new WriteBuffer(schema, logger, {
      ...shared,
      keyOf: placeOf,
      merge: added,
      write: (rows) => writeInOrder(rows, placeOf, (uses) => operationUses.add(uses)),
    });
  }

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.gather();
    await this.lastUses.stop();
    await this.uses.stop();
  }

  /** Notes that a key was used. @param now Unix time in milliseconds */
  noteUse(keyId: string, now: number): void {
    this.lastUsed.set(keyId, now);
  }

  /** Counts the use of an operation by a key. Never waits and never throws. */
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
  async flush(): Promise<void> {
    this.gather();
    await this.lastUses.flush();
    await this.uses.flush();
  }

  private endDay(now: number): void {
    this.gather();
    this.dayEnds = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  }

  /** Moves what has been counted to what is to be written, the counts under their day. */
  private gather(): void {
    const { lastUsed, counts } = this;
    this.lastUsed = new Map();
    for (const [keyId, usedAt] of lastUsed) this.lastUses.add({ keyId, usedAt: new Date(usedAt) });
    if (counts.size === 0) return;
    this.counts = new Map();
    const day = dayOf(this.dayEnds - DAY_MS);
    for (const [keyId, ofKey] of counts) {
      for (const [operation, { count, lastUsedAt }] of ofKey) {
        this.uses.add({ keyId, operation, day, count: BigInt(count), lastUsedAt: new Date(lastUsedAt) });
      }
    }
  }
}

function placeOf({ keyId, operation, day }: Uses): string {
  return `${keyId} ${operation} ${day}`;
}

function added(older: Uses, newer: Uses): Uses {
  const lastUsedAt = older.lastUsedAt > newer.lastUsedAt ? older.lastUsedAt : newer.lastUsedAt;
  return { ...newer, count: older.count + newer.count, lastUsedAt };
}
