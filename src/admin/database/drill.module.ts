import { Module } from '@nestjs/common';
import { DrillLog } from './drill-log.service';

/** Provides the log of restores that were tried. */
@Module({ providers: [DrillLog], exports: [DrillLog] })
export class DrillModule {}
