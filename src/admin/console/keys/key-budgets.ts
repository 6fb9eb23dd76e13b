import { Injectable } from '@nestjs/common';
import type { KeyView } from '../../../auth/dto/key-view';
import { MonthlyQuotas } from '../../../platform/rate-limit/monthly-quotas';
import { type Budget, RateLimits } from '../../../platform/rate-limit/rate-limits';

/** The remaining requests of a key; a member is undefined where nothing limits the key. */
export interface KeyBudgets {
  readonly minute: Budget | undefined;
  readonly month: Budget | undefined;
}

/** Reads the remaining requests of keys. */
@Injectable()
export class KeyBudgetsReader {
  constructor(
    private readonly limits: RateLimits,
    private readonly quotas: MonthlyQuotas,
  ) {}

  async read({ lineageId, limitPerMinute, quotaPerMonth }: KeyView): Promise<KeyBudgets> {
    const [minute, month] = await Promise.all([
      this.limits.minuteOf(lineageId, limitPerMinute ?? undefined),
      quotaPerMonth === null ? undefined : this.monthOf(lineageId, quotaPerMonth),
    ]);
    return { minute, month };
  }

  private async monthOf(lineageId: string, limit: number): Promise<Budget> {
    // A quota that was lowered may be less than the number of requests used before.
    return { limit, left: Math.max(0, limit - (await this.quotas.used(lineageId))) };
  }
}
