import { Module } from '@nestjs/common';
import { ReadOnlyService } from './read-only.service';

/** The switch with which operators stop writes. */
@Module({ providers: [ReadOnlyService] })
export class ReadOnlyModule {}
