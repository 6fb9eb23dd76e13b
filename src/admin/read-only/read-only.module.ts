import { Module } from '@nestjs/common';
import { ReadOnlyService } from './read-only.service';

/** What operators decide about writes as such. */
@Module({ providers: [ReadOnlyService] })
export class ReadOnlyModule {}
