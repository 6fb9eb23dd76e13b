import { Module } from '@nestjs/common';
import { BrownoutsService } from './brownouts.service';
import { DeprecationReportService } from './deprecation-report.service';
import { UsageReportService } from './usage-report.service';

const SERVICES = [BrownoutsService, DeprecationReportService, UsageReportService];

/** What operators ask about the use of keys and operations, and about the ends of those. */
@Module({ providers: SERVICES, exports: SERVICES })
export class ReportsModule {}
