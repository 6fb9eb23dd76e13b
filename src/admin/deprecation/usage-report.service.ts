import { Injectable } from '@nestjs/common';
import { ApiKeysService } from '../../auth/api-keys.service';
import type { KeyStatus, KeyView } from '../../auth/dto/key-view';
import type { UsageDays, UsageFilter, UsageSum } from '../../auth/dto/operation-usage';
import { UsageService } from '../../auth/usage/usage.service';
import { OperationRegistry } from '../../platform/http/operations/operation-registry';
import { DAY_MS, dayOf } from '../../platform/values/calendar';
import { UnknownOperationError } from './reports.errors';

/** A key that calls operations; what is not set, or not known any more, is null. */
export interface Caller {
  readonly keyId: string;
  readonly name: string | null;
  readonly owner: string | null;
  readonly status: KeyStatus | null;
}

/** How often one key has called one operation. The members are stable: scripts read them. */
export interface KeyOperationUsage extends Caller {
  readonly operation: string;
  /** Since the key was made. */
  readonly count: number;
  /** On the days that were asked for. */
  readonly recent: number;
  /** ISO 8601, UTC. */
  readonly lastUsedAt: string;
}

/** Who calls what how often, as of about a minute ago. */
@Injectable()
export class UsageReportService {
  constructor(
    private readonly usage: UsageService,
    private readonly keys: ApiKeysService,
    private readonly registry: OperationRegistry,
  ) {}

  /** The names of the operations whose calls are counted: those that are called with a key. */
  operations(): string[] {
    return this.registry
      .of('public')
      .filter(({ isPublic }) => !isPublic)
      .map(({ id }) => id);
  }

  /** @throws ApiKeyNotFoundError or UnknownOperationError when a report would be empty because of a mistyped name */
  async assertKnown({ keyId, operation }: UsageFilter): Promise<void> {
    if (keyId !== undefined) await this.keys.show(keyId);
    if (operation === undefined || this.operations().includes(operation)) return;
    if ((await this.usage.totals({ operation })).length === 0) throw new UnknownOperationError(operation);
  }

  /**
   * Use by key and operation, most used lately first.
   *
   * @param days how many days count as lately, today the last of them
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

  /** Use by day and operation, all keys together, oldest day first; days without any are left out. */
  byDay(days: number, filter: UsageFilter = {}, now = new Date()): Promise<UsageSum<'day' | 'operation'>[]> {
    return this.usage.sums(['day', 'operation'], lastDays(days, now), filter);
  }
}

/** @param key undefined when the key is not stored any more */
export function callerOf(keyId: string, key: KeyView | undefined): Caller {
  return { keyId, name: key?.name ?? null, owner: key?.owner ?? null, status: key?.status ?? null };
}

/** So many days, today the last. */
function lastDays(count: number, now: Date): UsageDays {
  return { from: dayOf(now.getTime() - (count - 1) * DAY_MS), to: dayOf(now) };
}
