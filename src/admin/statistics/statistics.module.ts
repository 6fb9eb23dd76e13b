import { Module } from '@nestjs/common';
import { RecordsModule } from '../records/records.module';
import { StatisticsRepository } from './statistics.repository';
import { StatisticsService } from './statistics.service';

/** How many records there are, by value and by day. */
@Module({
  imports: [RecordsModule],
  providers: [StatisticsRepository, StatisticsService],
  exports: [StatisticsService],
})
export class StatisticsModule {}
