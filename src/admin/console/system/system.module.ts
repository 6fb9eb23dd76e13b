import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../../platform/database/database.module';
import { LoggingModule } from '../../../platform/logging/logging.module';
import { StatisticsModule } from '../../statistics/statistics.module';
import { DrillModule } from '../../database/drill.module';
import { ConsoleModule } from '../console.module';
import { ConsoleNavigation } from '../frame/navigation';
import { SystemController } from './system.controller';
import { SystemService } from './system.service';

/** The pages of the running processes, the database, the settings and the migrations. */
@Module({
  imports: [ConsoleModule, DatabaseModule, DrillModule, LoggingModule, StatisticsModule],
  controllers: [SystemController],
  providers: [SystemService],
})
export class SystemPagesModule {
  constructor(navigation: ConsoleNavigation) {
    navigation.add({ title: 'System', path: '/admin/system', icon: 'server', order: 50 });
  }
}
