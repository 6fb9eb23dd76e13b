import { Module } from '@nestjs/common';
import { AuditPagesModule } from './console/audit/audit-pages.module';
import { ConsoleModule } from './console/console.module';
import { FindPagesModule } from './console/find/find.module';
import { JobsPagesModule } from './console/jobs/jobs-pages.module';
import { KeysPagesModule } from './console/keys/keys-pages.module';
import { RecordPagesModule } from './console/records/record-pages.module';
import { OverviewPagesModule } from './console/overview/overview.module';
import { ReportsPagesModule } from './console/reports/reports-pages.module';
import { RequestsPagesModule } from './console/requests/requests-pages.module';
import { SystemPagesModule } from './console/system/system.module';
import { StatisticsModule } from './statistics/statistics.module';
import { AuditModule } from './audit/audit.module';
import { DeprecationModule } from './deprecation/deprecation.module';
import { DistributionModule } from './distribution/distribution.module';
import { JobsModule } from './jobs/jobs.module';
import { ReadOnlyModule } from './read-only/read-only.module';
import { RecordsModule } from './records/records.module';
import { ReportsModule } from './reports/reports.module';
import { RequestsModule } from './requests/requests.module';
import { TrafficModule } from './traffic/traffic.module';
import { TransferModule } from './records/transfer/transfer.module';

/** What the people who run the store work with: one folder and one module for each of their tasks. */
@Module({
  imports: [
    AuditModule,
    AuditPagesModule,
    ConsoleModule,
    DeprecationModule,
    DistributionModule,
    FindPagesModule,
    JobsModule,
    JobsPagesModule,
    KeysPagesModule,
    ReadOnlyModule,
    RecordPagesModule,
    RecordsModule,
    ReportsModule,
    ReportsPagesModule,
    RequestsModule,
    RequestsPagesModule,
    OverviewPagesModule,
    SystemPagesModule,
    StatisticsModule,
    TrafficModule,
    TransferModule,
  ],
})
export class AdminModule {}
