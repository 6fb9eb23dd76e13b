import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { MulterModule } from '@nestjs/platform-express';
import type { DataSource } from 'typeorm';
import { AuditEventsRepository } from './audit/audit-events.repository';
import { AuditLog } from './audit/audit-log';
import type { Settings } from './config/settings';
import { SETTINGS, SettingsModule } from './config/settings.module';
import { DatabaseModule } from './database/database.module';
import { ErrorFilter } from './http/response/error.filter';
import { EventDeliverer } from './events/event-deliverer.service';
import { EventHandlers } from './events/event-handlers';
import { EventMetrics } from './events/event-metrics';
import { Events } from './events/events';
import { StoredEventsRepository } from './events/stored-events.repository';
import { AuditRetentionJob } from './audit/audit-retention-job';
import { DecoratedMethods } from './jobs/decorated-methods';
import { JobMetrics } from './jobs/job-metrics';
import { JobMethods } from './jobs/job-methods';
import { JobRunRetentionJob } from './jobs/job-run-retention-job';
import { JobRunner } from './jobs/job-runner.service';
import { Jobs } from './jobs/jobs';
import { Retention } from './jobs/retention';
import { ScheduledJobsRepository } from './jobs/scheduled-jobs.repository';
import { Scheduler } from './jobs/scheduler.service';
import { StoredRunsRepository } from './jobs/stored-runs.repository';
import { FORM_LIMITS } from './http/request/body-reader';
import { Deprecations } from './deprecation/deprecations';
import { FrontDoor } from './http/front-door';
import { ServiceAddress } from './values/service-address';
import { ResponseRetentionJob } from './http/idempotency/response-retention-job';
import { Idempotency } from './http/idempotency/idempotency';
import { IdempotentResponsesRepository } from './http/idempotency/idempotent-responses.repository';
import { RequestLifecycle } from './http/lifecycle/request-lifecycle';
import { TeamParts } from './http/lifecycle/team-parts';
import { ARRIVAL_STEPS, OPERATION_STEPS } from './http/lifecycle/steps';
import { OperationRegistry } from './http/operations/operation-registry';
import { SchemaParameters } from './http/operations/schema-parameters';
import { ChangedRecords } from './http/response/changed-records';
import { ListRoom } from './http/response/list-room';
import { ResponseCache } from './http/response/response-cache';
import { ResponseWriter } from './http/response/response-writer';
import { LoopClock } from './http/observers/loop-clock';
import { Routes } from './http/routes';
import { ServiceState } from './http/service-state';
import { UNREAD_LIMITS, UnreadResponses } from './http/connections/unread-responses';
import { type Logger, LOGGER, LoggingModule } from './logging/logging.module';
import { RequestLines } from './logging/request-lines';
import { ReadOnlyHealth } from './read-only/read-only-health';
import { ReadOnlyMode } from './read-only/read-only-mode';
import { ServiceModesRepository } from './read-only/service-modes.repository';
import { ClientChangesRepository } from './request-log/client-changes.repository';
import { RequestLog } from './request-log/request-log';
import { RequestLogRepository } from './request-log/request-log.repository';
import { RequestLogRetentionJob } from './request-log/request-log-retention-job';
import { RateLimitHealth } from './rate-limit/rate-limit-health';
import { RateLimitStore } from './rate-limit/rate-limit-store';
import { declaredPolicies } from './rate-limit/declared-policies';
import { MonthlyQuotas } from './rate-limit/monthly-quotas';
import { MonthlyUsesRepository } from './rate-limit/monthly-uses.repository';
import { DECLARED_POLICIES, RateLimits } from './rate-limit/rate-limits';
import { RefusedKeys } from './rate-limit/refused-keys';
import { ManagementTelemetry } from './http/observers/management-telemetry';
import { Metrics } from './telemetry/metrics';
import { MetricsController } from './http/management/metrics.controller';
import { RequestTelemetry } from './http/observers/request-telemetry';
import { type Tracing, TRACING } from './tracing/tracing';
import { DtoPipe } from './validation/dto.pipe';

/** Parts that have to exist before Nest starts. */
export interface PlatformParts {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly dataSource: DataSource;
}

/** Providers of the platform for every feature. It knows no feature. */
@Module({})
export class PlatformModule {
  static forRoot({ settings, logger, dataSource }: PlatformParts): DynamicModule {
    return {
      module: PlatformModule,
      global: true,
      imports: [
        DiscoveryModule,
        MulterModule.register({ limits: FORM_LIMITS }),
        SettingsModule.forRoot(settings),
        LoggingModule.forRoot(logger),
        DatabaseModule.forRoot(dataSource),
      ],
      controllers: [MetricsController],
      providers: [
        AuditEventsRepository,
        AuditLog,
        AuditRetentionJob,
        ChangedRecords,
        DecoratedMethods,
        EventDeliverer,
        EventHandlers,
        EventMetrics,
        Events,
        StoredEventsRepository,
        JobMethods,
        JobMetrics,
        JobRunRetentionJob,
        JobRunner,
        Jobs,
        Retention,
        ScheduledJobsRepository,
        Scheduler,
        StoredRunsRepository,
        OperationRegistry,
        SchemaParameters,
        ResponseRetentionJob,
        FrontDoor,
        Idempotency,
        IdempotentResponsesRepository,
        ListRoom,
        { provide: LoopClock, useFactory: () => new LoopClock() },
        ManagementTelemetry,
        Metrics,
        RequestLines,
        ClientChangesRepository,
        RequestLog,
        MonthlyQuotas,
        MonthlyUsesRepository,
        RequestLogRepository,
        RequestLogRetentionJob,
        RateLimitHealth,
        RateLimits,
        {
          provide: DECLARED_POLICIES,
          useFactory: ({ operations }: OperationRegistry) => declaredPolicies(operations),
          inject: [OperationRegistry],
        },
        RateLimitStore,
        ReadOnlyHealth,
        ReadOnlyMode,
        RefusedKeys,
        RequestLifecycle,
        RequestTelemetry,
        ResponseCache,
        ResponseWriter,
        Routes,
        ServiceModesRepository,
        ServiceState,
        TeamParts,
        ...ARRIVAL_STEPS,
        ...OPERATION_STEPS,
        {
          provide: UnreadResponses,
          useFactory: (metrics: Metrics) => new UnreadResponses(metrics, UNREAD_LIMITS),
          inject: [Metrics],
        },
        {
          provide: ServiceAddress,
          useFactory: ({ publicBaseUrl }: Settings) => new ServiceAddress(publicBaseUrl),
          inject: [SETTINGS],
        },
        {
          provide: Deprecations,
          useFactory: ({ deprecatedOperations }: Settings, address: ServiceAddress) =>
            new Deprecations(deprecatedOperations, address),
          inject: [SETTINGS, ServiceAddress],
        },
        { provide: TRACING, useFactory: openTracing, inject: [SETTINGS, LOGGER] },
        ErrorFilter,
        // Registered ahead of every feature's: the pipe runs before theirs, and the filter takes the errors that theirs leave.
        { provide: APP_FILTER, useExisting: ErrorFilter },
        { provide: APP_PIPE, useClass: DtoPipe },
      ],
      exports: [
        AuditEventsRepository,
        AuditLog,
        EventDeliverer,
        EventHandlers,
        Events,
        JobMethods,
        JobRunner,
        Jobs,
        Retention,
        Scheduler,
        ScheduledJobsRepository,
        StoredEventsRepository,
        StoredRunsRepository,
        Metrics,
        MonthlyQuotas,
        MulterModule,
        OperationRegistry,
        RateLimits,
        RateLimitStore,
        ReadOnlyMode,
        RefusedKeys,
        ServiceAddress,
        ServiceModesRepository,
        ClientChangesRepository,
        RequestLogRepository,
        UnreadResponses,
        ErrorFilter,
        ServiceState,
      ],
    };
  }
}

/** Opens tracing. The SDK takes time and memory, so it is loaded only if there is a collector. */
async function openTracing(
  { otelExporterOtlpEndpoint: endpoint }: Settings,
  logger: Logger,
): Promise<Tracing | undefined> {
  if (!endpoint) return undefined;
  const { openOtlpTracing } = await import('./telemetry/otlp-tracing.js');
  return openOtlpTracing(endpoint, logger);
}
