import { Module } from '@nestjs/common';
import { MonthlyQuotas } from './monthly-quotas';
import { MonthlyUsesRepository } from './monthly-uses.repository';
import { RateLimitHealth } from './rate-limit-health';
import { RateLimitStore } from './rate-limit-store';
import { RateLimits } from './rate-limits';
import { RefusedKeys } from './refused-keys';

/** Limits of API keys, and of addresses whose keys are refused. */
@Module({
  providers: [MonthlyQuotas, MonthlyUsesRepository, RateLimitHealth, RateLimitStore, RateLimits, RefusedKeys],
  exports: [MonthlyQuotas, RateLimitStore, RateLimits, RefusedKeys],
})
export class RateLimitModule {}
