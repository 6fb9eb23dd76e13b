import { Module } from '@nestjs/common';
import { JobsModule } from '../../jobs/jobs.module';
import { ConsoleModule } from '../console.module';
import { ConsoleNavigation } from '../frame/navigation';
import { JobChangesController, JOBS, JobsController } from './jobs.controller';

/** The page of scheduled jobs and stored events. */
@Module({ imports: [ConsoleModule, JobsModule], controllers: [JobsController, JobChangesController] })
export class JobsPagesModule {
  constructor(navigation: ConsoleNavigation) {
    navigation.add({ ...JOBS, icon: 'clock', order: 45 });
  }
}
