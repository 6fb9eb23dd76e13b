import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/database/database.module';
import { JobRunsModule } from '../../platform/jobs/job-runs.module';
import { RecordsModule } from '../records/records.module';
import { StatisticsRepository } from './statistics.repository';
import { StatisticsService } from './statistics.service';
import { TrafficRecorder } from './traffic-recorder.service';
import { TrafficRepository } from './traffic.repository';
import { TrafficRetentionJob } from './traffic-retention-job';
import { TrafficService } from './traffic.service';

/** Records which processes serve and the requests they have served lately; counts records by value and by day. */
@Module({
  imports: [DatabaseModule, JobRunsModule, RecordsModule],
  providers: [
    StatisticsRepository,
    StatisticsService,
    TrafficRecorder,
    TrafficRepository,
    TrafficRetentionJob,
    TrafficService,
  ],
  exports: [StatisticsService, TrafficRecorder, TrafficService],
})
export class StatisticsModule {}
