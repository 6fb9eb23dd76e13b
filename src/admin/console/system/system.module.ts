import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../../platform/database/database.module';
import { LoggingModule } from '../../../platform/logging/logging.module';
import { ReadOnlyModeModule } from '../../../platform/read-only/read-only-mode.module';
import { ReadOnlyModule } from '../../read-only/read-only.module';
import { StatisticsModule } from '../../statistics/statistics.module';
import { DrillModule } from '../../database/drill.module';
import { ConsoleModule } from '../console.module';
import { ConsoleNavigation } from '../frame/navigation';
import { ReadOnlyController } from './read-only.controller';
import { SYSTEM, SystemController } from './system.controller';
import { SystemService } from './system.service';

/** The pages of the running processes, the database, the settings and the migrations. */
@Module({
  imports: [
    ConsoleModule,
    DatabaseModule,
    DrillModule,
    LoggingModule,
    ReadOnlyModeModule,
    ReadOnlyModule,
    StatisticsModule,
  ],
  controllers: [SystemController, ReadOnlyController],
  providers: [SystemService],
})
export class SystemPagesModule {
  constructor(navigation: ConsoleNavigation) {
    navigation.add({ ...SYSTEM, icon: 'server', order: 50 });
  }
}
