import { Module } from '@nestjs/common';
import { KeysModule } from '../../../auth/keys.module';
import { LoggingModule } from '../../../platform/logging/logging.module';
import { HealthModule } from '../../../health/health.module';
import { StatisticsModule } from '../../statistics/statistics.module';
import { RecordsModule } from '../../records/records.module';
import { DeprecationModule } from '../../requests/reports/deprecation.module';
import { ReportsModule } from '../../requests/reports/reports.module';
import { RequestsModule } from '../../requests/requests.module';
import { ConsoleModule } from '../console.module';
import { ConsoleNavigation } from '../frame/navigation';
import { PanelsModule } from '../frame/panels/panels.module';
import { OverviewController } from './overview.controller';
import { OverviewService } from './overview.service';

/** The first page of the console. */
@Module({
  imports: [
    ConsoleModule,
    DeprecationModule,
    HealthModule,
    KeysModule,
    LoggingModule,
    PanelsModule,
    RecordsModule,
    ReportsModule,
    RequestsModule,
    StatisticsModule,
  ],
  controllers: [OverviewController],
  providers: [OverviewService],
})
export class OverviewPagesModule {
  constructor(navigation: ConsoleNavigation) {
    navigation.add({ title: 'Overview', path: '/admin/overview', icon: 'home', order: 0 });
  }
}
