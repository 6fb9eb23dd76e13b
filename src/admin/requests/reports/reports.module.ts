import { Module } from '@nestjs/common';
import { UsageModule } from '../../../auth/usage/usage.module';
import { KeysModule } from '../../../auth/keys.module';
import { OperationsModule } from '../../../platform/http/operations/operations.module';
import { UsageReportService } from './usage-report.service';

/** Reports for operators about the use of keys and operations. */
@Module({
  imports: [KeysModule, OperationsModule, UsageModule],
  providers: [UsageReportService],
  exports: [UsageReportService],
})
export class ReportsModule {}
