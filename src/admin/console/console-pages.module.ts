import { Module, type OnModuleInit, type Type } from '@nestjs/common';
import { OperationsModule } from '../../platform/http/operations/operations.module';
import { ConsoleForms } from '../../platform/features/console-form';
import { RecordsModule } from '../records/records.module';
import { AuditPagesModule } from './audit/audit-pages.module';
import { ConsoleModule } from './console.module';
import { ErasurePagesModule } from './erasure/erasure-pages.module';
import { FindPagesModule } from './find/find.module';
import { HelpPagesModule } from './help/help.module';
import { JobsPagesModule } from './jobs/jobs-pages.module';
import { KeysPagesModule } from './keys/keys-pages.module';
import { ModulePages } from './module-pages/module-pages.service';
import { PageForms } from './module-pages/page-form';
import { OidcModule } from './oidc/oidc.module';
import { OverviewPagesModule } from './overview/overview.module';
import { RecordPagesModule } from './records/record-pages.module';
import { ReportsPagesModule } from './reports/reports-pages.module';
import { RequestsPagesModule } from './requests/requests-pages.module';
import { SystemPagesModule } from './system/system.module';

/** The modules of the console itself. */
const PARTS: readonly Type[] = [
  ConsoleModule,
  // Before the audit log: `audit/erase` has to match before `audit/:id`.
  ErasurePagesModule,
  AuditPagesModule,
  FindPagesModule,
  HelpPagesModule,
  JobsPagesModule,
  KeysPagesModule,
  OidcModule,
  OverviewPagesModule,
  RecordPagesModule,
  ReportsPagesModule,
  RequestsPagesModule,
  SystemPagesModule,
];

/** The console. The server imports it; commands do without. */
@Module({
  imports: [...PARTS, RecordsModule, OperationsModule],
  providers: [ModulePages, { provide: ConsoleForms, useClass: PageForms }],
})
export class ConsolePagesModule implements OnModuleInit {
  constructor(private readonly pages: ModulePages) {}

  /** Adds the pages of the other modules. */
  onModuleInit(): void {
    this.pages.add(new Set(PARTS));
  }
}
