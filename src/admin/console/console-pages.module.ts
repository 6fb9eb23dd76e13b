import { Module } from '@nestjs/common';
import { AuditPagesModule } from './audit/audit-pages.module';
import { ConsoleModule } from './console.module';
import { FindPagesModule } from './find/find.module';
import { JobsPagesModule } from './jobs/jobs-pages.module';
import { KeysPagesModule } from './keys/keys-pages.module';
import { OidcModule } from './oidc/oidc.module';
import { OverviewPagesModule } from './overview/overview.module';
import { RecordPagesModule } from './records/record-pages.module';
import { ReportsPagesModule } from './reports/reports-pages.module';
import { RequestsPagesModule } from './requests/requests-pages.module';
import { SystemPagesModule } from './system/system.module';

/** The console. The server imports it; commands do without. */
@Module({
  imports: [
    ConsoleModule,
    AuditPagesModule,
    FindPagesModule,
    JobsPagesModule,
    KeysPagesModule,
    OidcModule,
    OverviewPagesModule,
    RecordPagesModule,
    ReportsPagesModule,
    RequestsPagesModule,
    SystemPagesModule,
  ],
})
export class ConsolePagesModule {}
