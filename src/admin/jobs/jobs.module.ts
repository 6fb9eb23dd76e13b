import { Module } from '@nestjs/common';
import { JobsService } from './jobs.service';

/**
 * Views and decisions of operators about work without a request: scheduled methods, and events that are stored for handlers.
 */
@Module({ providers: [JobsService], exports: [JobsService] })
export class JobsModule {}
