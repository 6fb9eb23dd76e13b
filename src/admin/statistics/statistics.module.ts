import { Module } from '@nestjs/common';
import { RecordsModule } from '../records/records.module';
import { StatisticsRepository } from './statistics.repository';
import { StatisticsService } from './statistics.service';

/** Counts records by value and by day. */
@Module({
  imports: [RecordsModule],
  providers: [StatisticsRepository, StatisticsService],
  exports: [StatisticsService],
})
export class StatisticsModule {}
