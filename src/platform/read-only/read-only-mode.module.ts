import { Module } from '@nestjs/common';
import { ReadOnlyHealth } from './read-only-health';
import { ReadOnlyMode } from './read-only-mode';
import { ServiceModesRepository } from './service-modes.repository';

/** Provides read-only mode, in which changes are refused for a while. */
@Module({
  providers: [ReadOnlyHealth, ReadOnlyMode, ServiceModesRepository],
  exports: [ReadOnlyMode, ServiceModesRepository],
})
export class ReadOnlyModeModule {}
