import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { MulterModule } from '@nestjs/platform-express';
import { DataSource, EntityManager } from 'typeorm';
import { AuditEventsModule } from './audit/audit-events.module';
import { AuditLog } from './audit/audit-log';
import type { Settings } from './config/settings';
import { SETTINGS } from './config/settings.module';
import { Database } from './database/database';
import { DatabaseModule } from './database/database.module';
import { Events } from './events/events';
import { StoredEventsModule } from './events/stored-events.module';
import { HttpModule } from './http/http.module';
import { FORM_LIMITS } from './http/request/body-reader';
import { ErrorFilter } from './http/response/error.filter';
import { ResponseModule } from './http/response/response.module';
import { JobRunsModule } from './jobs/job-runs.module';
import { Jobs } from './jobs/jobs';
import { type Logger, LOGGER } from './logging/logging.module';
import { ReadOnlyModeModule } from './read-only/read-only-mode.module';
import { Metrics } from './telemetry/metrics';
import { DtoPipe } from './validation/dto.pipe';

/** Parts that have to exist before Nest starts. The caller that opened the database closes it after Nest has stopped. */
export interface PlatformParts {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly dataSource: DataSource;
}

/** What every module may inject without an import. It knows no feature. */
@Module({})
export class PlatformModule {
  static forRoot({ settings, logger, dataSource }: PlatformParts): DynamicModule {
    const offered = [
      { provide: SETTINGS, useValue: settings },
      { provide: LOGGER, useValue: logger },
      // Values would be written as JSON for the `snapshot` of Nest, and these refer to themselves.
      { provide: DataSource, useFactory: () => dataSource },
      { provide: EntityManager, useFactory: () => dataSource.manager },
      AuditLog,
      Database,
      Events,
      Jobs,
      Metrics,
    ];
    return {
      module: PlatformModule,
      global: true,
      imports: [
        AuditEventsModule,
        DatabaseModule,
        HttpModule,
        JobRunsModule,
        MulterModule.register({ limits: FORM_LIMITS }),
        ReadOnlyModeModule,
        ResponseModule,
        StoredEventsModule,
      ],
      providers: [
        ...offered,
        // Nest registers a module's own ahead of those of its imports and of every feature: the pipe runs before theirs, and the
        // filter gets the errors that theirs leave.
        { provide: APP_FILTER, useExisting: ErrorFilter },
        { provide: APP_PIPE, useClass: DtoPipe },
      ],
      exports: [...offered, MulterModule],
    };
  }
}
