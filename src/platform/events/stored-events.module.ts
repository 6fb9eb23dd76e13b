import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module';
import { JobRunsModule } from '../jobs/job-runs.module';
import { LoggingModule } from '../logging/logging.module';
import { ReadOnlyModeModule } from '../read-only/read-only-mode.module';
import { EventDeliverer } from './event-deliverer.service';
import { EventHandlers } from './event-handlers';
import { EventMetrics } from './event-metrics';
import { StoredEventsRepository } from './stored-events.repository';

/** Delivers events to their handlers; every module can publish one. */
@Module({
  imports: [DatabaseModule, JobRunsModule, LoggingModule, ReadOnlyModeModule],
  providers: [EventDeliverer, EventHandlers, EventMetrics, StoredEventsRepository],
  exports: [EventDeliverer, EventHandlers, StoredEventsRepository],
})
export class StoredEventsModule {}
