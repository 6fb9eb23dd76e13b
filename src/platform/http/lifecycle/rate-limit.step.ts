import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { declaredPolicies } from '../../rate-limit/declared-policies';
import { RateLimits } from '../../rate-limit/rate-limits';
import type { Principal } from '../../security/principal';
import type { Exchange } from '../exchange/exchange';
import type { Operation } from '../operations/operation';
import { OperationRegistry } from '../operations/operation-registry';
import type { Step } from './step';

/** Counts the request toward the limit of its key. */
@Injectable()
export class RateLimitStep implements Step, OnApplicationBootstrap {
  constructor(
    private readonly limits: RateLimits,
    private readonly registry: OperationRegistry,
  ) {}

  /** @throws Error when one policy has two numbers, or the name of one of the service's own */
  onApplicationBootstrap(): void {
    this.limits.declare(declaredPolicies(this.registry.operations));
  }

  appliesTo({ isPublic }: Operation): boolean {
    return !isPublic;
  }

  run(exchange: Exchange): void | Promise<void> {
    const principal = exchange.principal as Principal;
    if (this.limits.isOn || principal.limits) return this.count(exchange, principal);
  }

  private async count(exchange: Exchange, principal: Principal): Promise<void> {
    const { rateLimit } = exchange.operation as Operation;
    const fields = await this.limits.count(rateLimit, principal);
    const { responseFields } = exchange;
    exchange.responseFields = responseFields ? { ...responseFields, ...fields } : fields;
  }
}
