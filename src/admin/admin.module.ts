import { Module } from '@nestjs/common';
import { StatisticsModule } from './statistics/statistics.module';
import { AuditModule } from './audit/audit.module';
import { DeprecationModule } from './requests/reports/deprecation.module';
import { DistributionModule } from './database/distribution/distribution.module';
import { DrillModule } from './database/drill.module';
import { ErasureModule } from './records/erasure/erasure.module';
import { FindModule } from './find/find.module';
import { JobsModule } from './jobs/jobs.module';
import { ReadOnlyModule } from './read-only/read-only.module';
import { HistoryModule } from './records/history/history.module';
import { RecordsModule } from './records/records.module';
import { ReportsModule } from './requests/reports/reports.module';
import { RequestsModule } from './requests/requests.module';
import { TransferModule } from './records/transfer/transfer.module';

/** The features for operators: one folder and one module for each of their tasks. The console has a module of its own. */
@Module({
  imports: [
    AuditModule,
    DeprecationModule,
    DistributionModule,
    DrillModule,
    ErasureModule,
    FindModule,
    JobsModule,
    ReadOnlyModule,
    HistoryModule,
    RecordsModule,
    ReportsModule,
    RequestsModule,
    StatisticsModule,
    TransferModule,
  ],
})
export class AdminModule {}
