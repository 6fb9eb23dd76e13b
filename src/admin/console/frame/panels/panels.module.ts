import { Module } from '@nestjs/common';
import { PanelsService } from './panels.service';

/** The panels that modules add to pages. */
@Module({ providers: [PanelsService], exports: [PanelsService] })
export class PanelsModule {}
