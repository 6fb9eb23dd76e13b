import { Injectable } from '@nestjs/common';
import { ApiKeysService } from '../../../auth/api-keys.service';
import type { KeyStatus, KeyView } from '../../../auth/dto/key-view';
import type { UsageDays, UsageFilter, UsageSum } from '../../../auth/dto/operation-usage';
import { UsageService } from '../../../auth/usage/usage.service';
import { OperationRegistry } from '../../../platform/http/operations/operation-registry';
import { DAY_MS, dayOf } from '../../../platform/values/calendar';
import { UnknownOperationError } from './reports.errors';

/** Calls of one operation with one key. What is not set or no longer known of the key is null. The members are stable: scripts read them. */
export interface KeyOperationUsage {
  readonly keyId: string;
  readonly name: string | null;
  readonly owner: string | null;
  readonly status: KeyStatus | null;
  readonly operation: string;
  /** Calls since the key was created. */
  readonly count: number;
  /** Calls on the requested days. */
  readonly recent: number;
  /** ISO 8601, UTC. */
  readonly lastUsedAt: string;
}

/** Reports the calls of each key and operation, as of about a minute ago. */
@Injectable()
export class UsageReportService {
  constructor(
    private readonly usage: UsageService,
    private readonly keys: ApiKeysService,
    private readonly registry: OperationRegistry,
  ) {}

  /** The names of the operations whose calls are counted: those called with a key. */
  operations(): string[] {
    return this.registry
      .of('public')
      .filter(({ isPublic }) => !isPublic)
      .map(({ id }) => id);
  }

  /** @throws ApiKeyNotFoundError or UnknownOperationError if a report would be empty because of a mistyped name */
  async assertKnown({ keyId, operation }: UsageFilter): Promise<void> {
    if (keyId !== undefined) await this.keys.show(keyId);
    if (operation === undefined || this.operations().includes(operation)) return;
    if ((await this.usage.totals({ operation })).length === 0) throw new UnknownOperationError(operation);
  }

  /**
   * Reports calls by key and operation, most recent calls first.
   *
   * @param days the number of recent days, including today
   */
  async byKey(days: number, filter: UsageFilter = {}, now = new Date()): Promise<KeyOperationUsage[]> {
    const totals = await this.usage.totals(filter);
    const recent = await this.usage.sums(['keyId', 'operation'], lastDays(days, now), filter);
    const keys = await this.keys.byId(totals.map(({ keyId }) => keyId));
    const recentOf = new Map(recent.map(({ keyId, operation, count }) => [`${keyId} ${operation}`, count]));
    return totals
      .map(({ keyId, operation, count, lastUsedAt }) => ({
        ...callerOf(keyId, keys.get(keyId)),
        operation,
        count,
        recent: recentOf.get(`${keyId} ${operation}`) ?? 0,
        lastUsedAt,
      }))
      .sort((a, b) => b.recent - a.recent || b.count - a.count);
  }

  /** Reports calls by day and operation for all keys together, oldest day first; leaves out days without calls. */
  byDay(days: number, filter: UsageFilter = {}, now = new Date()): Promise<UsageSum<'day' | 'operation'>[]> {
    return this.usage.sums(['day', 'operation'], lastDays(days, now), filter);
  }
}

/** @param key undefined if the key is no longer stored */
function callerOf(keyId: string, key: KeyView | undefined) {
  return { keyId, name: key?.name ?? null, owner: key?.owner ?? null, status: key?.status ?? null };
}

/** A number of days up to and including today. */
function lastDays(count: number, now: Date): UsageDays {
  return { from: dayOf(now.getTime() - (count - 1) * DAY_MS), to: dayOf(now) };
}
