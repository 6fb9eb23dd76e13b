import { Module } from '@nestjs/common';
import { KeysModule } from '../../../auth/keys.module';
import { DeprecationModule } from '../../requests/reports/deprecation.module';
import { ReportsModule } from '../../requests/reports/reports.module';
import { ConsoleModule } from '../console.module';
import { ConsoleNavigation } from '../frame/navigation';
import { ReportsController } from './reports.controller';

/** The pages of usage by key and of deprecated operations. */
@Module({
  imports: [ConsoleModule, DeprecationModule, KeysModule, ReportsModule],
  controllers: [ReportsController],
})
export class ReportsPagesModule {
  constructor(navigation: ConsoleNavigation) {
    navigation.add({ title: 'Reports', path: '/admin/reports', icon: 'chart', order: 40 });
  }
}
