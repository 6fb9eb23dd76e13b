import { Module } from '@nestjs/common';
import { ConsoleModule } from './console/console.module';
import { FiguresModule } from './figures/figures.module';
import { RecordsModule } from './records/records.module';
import { TrafficModule } from './traffic/traffic.module';

/** What the people who run the store work with: one folder and one module for each of their tasks. */
@Module({ imports: [FiguresModule, ConsoleModule, RecordsModule, TrafficModule] })
export class AdminModule {}
