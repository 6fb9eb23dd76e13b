import { Injectable } from '@nestjs/common';
import { HealthCheck, type HealthResult } from '../health/health-check';
import { REDIS_LOST } from './redis-store';
import { RateLimitStore } from './rate-limit-store';

/** Reports whether rate limits hold for all nodes. The service goes on if they do not. */
@Injectable()
export class RateLimitHealth extends HealthCheck {
  readonly name = 'rateLimitStore';
  readonly isRequired = false;

  constructor(private readonly store: RateLimitStore) {
    super();
  }

  check(): HealthResult | undefined {
    const { shared } = this.store;
    if (shared === undefined) return undefined;
    return shared === 'up' ? { status: 'ok' } : { status: 'failed', reason: REDIS_LOST };
  }
}
