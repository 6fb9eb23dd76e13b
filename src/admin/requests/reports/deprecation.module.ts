import { Module } from '@nestjs/common';
import { OperationsModule } from '../../../platform/http/operations/operations.module';
import { ReportsModule } from './reports.module';
import { DeprecationReportService } from './deprecation-report.service';

/** Reports for operators about the ends of operations. The part that clients meet is in `src/platform/deprecation`. */
@Module({
  imports: [OperationsModule, ReportsModule],
  providers: [DeprecationReportService],
  exports: [DeprecationReportService],
})
export class DeprecationModule {}
