import { Module } from '@nestjs/common';
import { ReportsModule } from './reports.module';
import { BrownoutsService } from './brownouts.service';
import { DeprecationReportService } from './deprecation-report.service';

const SERVICES = [BrownoutsService, DeprecationReportService];

/**
 * Reports and plans for operators about the ends of operations. The part that clients meet is in `src/platform/deprecation`.
 */
@Module({ imports: [ReportsModule], providers: SERVICES, exports: SERVICES })
export class DeprecationModule {}
