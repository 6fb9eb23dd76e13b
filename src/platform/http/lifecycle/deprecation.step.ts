import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Metrics } from '../../telemetry/metrics';
import { byLabel, SeriesCounter } from '../../telemetry/series-counter';
import { Deprecations } from '../../deprecation/deprecations';
import type { Exchange } from '../exchange/exchange';
import type { Operation } from '../operations/operation';
import { OperationRegistry } from '../operations/operation-registry';
import type { Step } from './step';

/** Counts the use of a deprecated operation, and refuses it once it is switched off. */
@Injectable()
export class DeprecationStep implements Step, OnApplicationBootstrap {
  private uses: SeriesCounter<string> | undefined;

  constructor(
    private readonly deprecations: Deprecations,
    private readonly metrics: Metrics,
    private readonly registry: OperationRegistry,
  ) {}

  onApplicationBootstrap(): void {
    const deprecated = this.registry.of('public').filter(({ deprecation }) => deprecation);
    if (deprecated.length === 0) return;
    const series = byLabel(
      'operation',
      deprecated.map(({ id }) => id),
    );
    this.uses = new SeriesCounter(
      this.metrics.registry,
      'petstore_deprecated_operation_uses_total',
      'Uses of deprecated operations.',
      series,
    );
  }

  appliesTo({ deprecation, isPublic }: Operation): boolean {
    return deprecation !== undefined && !isPublic;
  }

  run(exchange: Exchange): void {
    const operation = exchange.operation as Operation;
    this.uses?.add(operation.id);
    this.deprecations.assertServed(operation, new Date());
  }
}
