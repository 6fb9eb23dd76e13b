import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Metrics } from '../../telemetry/metrics';
import { Deprecations } from '../deprecations';
import type { Exchange } from '../exchange';
import type { Operation } from '../operation';
import { OperationRegistry } from '../operation-registry';
import type { Step } from './step';

/** Counts the use of a deprecated operation, and refuses it once it is switched off. */
@Injectable()
export class DeprecationStep implements Step, OnApplicationBootstrap {
  constructor(
    private readonly deprecations: Deprecations,
    private readonly metrics: Metrics,
    private readonly registry: OperationRegistry,
  ) {}

  onApplicationBootstrap(): void {
    // A series that is there before its first use shows that use; one that begins with it does not.
    for (const { id, deprecation } of this.registry.of('public')) {
      if (deprecation) this.metrics.deprecatedUses.inc({ operation: id }, 0);
    }
  }

  appliesTo({ deprecation, isPublic }: Operation): boolean {
    return deprecation !== undefined && !isPublic;
  }

  run(exchange: Exchange): void {
    const operation = exchange.operation as Operation;
    this.metrics.deprecatedUses.inc({ operation: operation.id });
    this.deprecations.assertServed(operation, new Date());
  }
}
