import { Injectable } from '@nestjs/common';
import type { OperationUsage, UsageDays, UsageFilter, UsageSum, UsesOfDay } from '../dto/operation-usage';
import { OperationUsesRepository } from './operation-uses.repository';

/** How often keys call operations, as of about a minute ago: uses are written so often. */
@Injectable()
export class UsageService {
  constructor(private readonly uses: OperationUsesRepository) {}

  /** What keys have called since they were made, by operation and key. */
  async totals(filter: UsageFilter = {}): Promise<OperationUsage[]> {
    return (await this.uses.list(filter)).map(({ keyId, operation, count, lastUsedAt }) => ({
      keyId,
      operation,
      count: Number(count),
      lastUsedAt: lastUsedAt.toISOString(),
    }));
  }

  /** What keys called on some days, added up by what is named, in its order. The last 400 days are kept. */
  sums<By extends keyof UsesOfDay>(
    by: readonly By[],
    days: UsageDays,
    filter: UsageFilter = {},
  ): Promise<UsageSum<By>[]> {
    return this.uses.sums(by, days, filter);
  }
}
