import { Module } from '@nestjs/common';
import { JobRunsService } from './job-runs.service';
import { JobsService } from './jobs.service';

/**
 * Views and decisions of operators about work without a request: scheduled methods, runs of jobs, and events that are stored
 * for handlers.
 */
@Module({ providers: [JobRunsService, JobsService], exports: [JobRunsService, JobsService] })
export class JobsModule {}
