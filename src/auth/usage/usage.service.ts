import { Injectable } from '@nestjs/common';
import type { OperationUsage, UsageDays, UsageFilter, UsageSum, UsesOfDay } from '../dto/operation-usage';
import { OperationUsesRepository } from './operation-uses.repository';

/** Reports how often keys call operations. Uses are written about once a minute, so the numbers may be that old. */
@Injectable()
export class UsageService {
  constructor(private readonly uses: OperationUsesRepository) {}

  /** Calls since the keys were made, by operation and key. */
  async totals(filter: UsageFilter = {}): Promise<OperationUsage[]> {
    return (await this.uses.list(filter)).map(({ keyId, operation, count, lastUsedAt }) => ({
      keyId,
      operation,
      count: Number(count),
      lastUsedAt: lastUsedAt.toISOString(),
    }));
  }

  /** Calls of some days, added up by these members, in their order. The last 400 days are kept. */
  sums<By extends keyof UsesOfDay>(
    by: readonly By[],
    days: UsageDays,
    filter: UsageFilter = {},
  ): Promise<UsageSum<By>[]> {
    return this.uses.sums(by, days, filter);
  }
}
