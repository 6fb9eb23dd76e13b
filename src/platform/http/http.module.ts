import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { Settings } from '../config/settings';
import { SETTINGS } from '../config/settings.module';
import { Deprecations } from '../deprecation/deprecations';
import { type Logger, LOGGER } from '../logging/logging.module';
import { RequestLines } from '../logging/request-lines';
import { RateLimitModule } from '../rate-limit/rate-limit.module';
import { ReadOnlyModeModule } from '../read-only/read-only-mode.module';
import { RequestLogModule } from '../request-log/request-log.module';
import { type Tracing, TRACING } from '../tracing/tracing';
import { ServiceAddress } from '../values/service-address';
import { FrontDoor } from './front-door';
import { IdempotencyModule } from './idempotency/idempotency.module';
import { RequestLifecycle } from './lifecycle/request-lifecycle';
import { ARRIVAL_STEPS, OPERATION_STEPS } from './lifecycle/steps';
import { TeamParts } from './lifecycle/team-parts';
import { MetricsController } from './management/metrics.controller';
import { LoopClock } from './observers/loop-clock';
import { ManagementTelemetry } from './observers/management-telemetry';
import { RequestTelemetry } from './observers/request-telemetry';
import { OperationsModule } from './operations/operations.module';
import { ResponseModule } from './response/response.module';
import { Routes } from './routes';
import { ServiceState } from './service-state';

/** Takes requests from their sockets to Nest, and knows whether the process serves. */
@Module({
  imports: [
    DiscoveryModule,
    IdempotencyModule,
    OperationsModule,
    RateLimitModule,
    ReadOnlyModeModule,
    RequestLogModule,
    ResponseModule,
  ],
  controllers: [MetricsController],
  providers: [
    FrontDoor,
    { provide: LoopClock, useFactory: () => new LoopClock() },
    ManagementTelemetry,
    RequestLifecycle,
    RequestLines,
    RequestTelemetry,
    Routes,
    ServiceState,
    TeamParts,
    ...ARRIVAL_STEPS,
    ...OPERATION_STEPS,
    {
      provide: Deprecations,
      useFactory: ({ deprecatedOperations }: Settings, address: ServiceAddress) =>
        new Deprecations(deprecatedOperations, address),
      inject: [SETTINGS, ServiceAddress],
    },
    { provide: TRACING, useFactory: openTracing, inject: [SETTINGS, LOGGER] },
  ],
  exports: [ServiceState],
})
export class HttpModule {}

/** Opens tracing. The SDK takes time and memory, so it is loaded only if there is a collector. */
async function openTracing(
  { otelExporterOtlpEndpoint: endpoint }: Settings,
  logger: Logger,
): Promise<Tracing | undefined> {
  if (!endpoint) return undefined;
  const { openOtlpTracing } = await import('../telemetry/otlp-tracing.js');
  return openOtlpTracing(endpoint, logger);
}
