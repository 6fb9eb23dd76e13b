import { Module } from '@nestjs/common';
import { ReportsModule } from './reports.module';
import { BrownoutsService } from './brownouts.service';
import { DeprecationReportService } from './deprecation-report.service';

const SERVICES = [BrownoutsService, DeprecationReportService];

/** What operators ask and plan about the ends of operations. Clients meet those in `src/platform/deprecation`. */
@Module({ imports: [ReportsModule], providers: SERVICES, exports: SERVICES })
export class DeprecationModule {}
