import { Module } from '@nestjs/common';
import { ReportsModule } from './reports.module';
import { DeprecationReportService } from './deprecation-report.service';

/** Reports for operators about the ends of operations. The part that clients meet is in `src/platform/deprecation`. */
@Module({
  imports: [ReportsModule],
  providers: [DeprecationReportService],
  exports: [DeprecationReportService],
})
export class DeprecationModule {}
