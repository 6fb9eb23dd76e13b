import { Module } from '@nestjs/common';
import { UsageReportService } from './usage-report.service';

/** Reports for operators about the use of keys and operations. */
@Module({ providers: [UsageReportService], exports: [UsageReportService] })
export class ReportsModule {}
