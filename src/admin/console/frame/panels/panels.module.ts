import { Module } from '@nestjs/common';
import { LoggingModule } from '../../../../platform/logging/logging.module';
import { PanelsService } from './panels.service';

/** The panels that modules add to pages. */
@Module({ imports: [LoggingModule], providers: [PanelsService], exports: [PanelsService] })
export class PanelsModule {}
