import { Module } from '@nestjs/common';
import { ReadOnlyModeModule } from '../../platform/read-only/read-only-mode.module';
import { ReadOnlyService } from './read-only.service';

/** The switch with which operators stop writes. */
@Module({ imports: [ReadOnlyModeModule], providers: [ReadOnlyService], exports: [ReadOnlyService] })
export class ReadOnlyModule {}
