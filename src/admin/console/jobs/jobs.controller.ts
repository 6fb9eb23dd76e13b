import { Get, Param, Post } from '@nestjs/common';
import { readSlice } from '../../../platform/database/statements/page';
import { parseDecimalInt64 } from '../../../platform/values/int64';
import { JobRunsService } from '../../jobs/job-runs.service';
import { EventNotFoundError, RunNotFoundError } from '../../jobs/jobs.errors';
import { JobsService } from '../../jobs/jobs.service';
import { ConsoleController } from '../../../platform/features/console-controller.decorator';
import { ConsoleScopes } from '../../../platform/security/access.decorators';
import { type ConsoleRequest, CurrentRequest } from '../http/console-request';
import { type ConsolePage, page, seeOther, type SeeOther } from '../../../platform/features/console-page';
import { exact } from '../ui/number-text';

export const JOBS = { title: 'Jobs', path: '/admin/jobs' } as const;

/** Number of waiting and of failed events that the page shows; the command line lists more. */
const MAX_EVENTS = 100;

/** Number of runs that the page shows; the command line lists more. */
const MAX_RUNS = 50;

/** The page of scheduled jobs, runs of jobs, handlers of stored events, and the events that wait or have failed. */
@ConsoleController('jobs')
export class JobsController {
  constructor(
    private readonly jobs: JobsService,
    private readonly jobRuns: JobRunsService,
  ) {}

  @Get()
  async show(@CurrentRequest() request: ConsoleRequest): Promise<ConsolePage> {
    const [scheduled, runs, backlogs, waiting, failed] = await Promise.all([
      this.jobs.scheduled(),
      readSlice(MAX_RUNS, (limit) => this.jobRuns.list({}, limit)),
      this.jobs.backlogs(),
      readSlice(MAX_EVENTS, (limit) => this.jobs.waiting(limit)),
      readSlice(MAX_EVENTS, (limit) => this.jobs.failed(limit)),
    ]);
    const data = { scheduled, runs, backlogs, waiting, failed, mayChange: request.mayChange('admin:jobs') };
    return page('/jobs/jobs', { title: JOBS.title, data });
  }
}

/** Runs, stops, retries or discards jobs and events, for operators with the scope. */
@ConsoleController('jobs')
@ConsoleScopes('admin:jobs')
export class JobChangesController {
  constructor(
    private readonly jobs: JobsService,
    private readonly jobRuns: JobRunsService,
  ) {}

  @Post('run/:name')
  async run(@Param('name') name: string): Promise<SeeOther> {
    await this.jobs.run(name);
    return seeOther(JOBS.path, { notice: `${name} runs in a moment.` });
  }

  @Post('pause/:name')
  async pause(@Param('name') name: string): Promise<SeeOther> {
    await this.jobs.pause(name);
    return seeOther(JOBS.path, { notice: `${name} is paused on every node.` });
  }

  @Post('resume/:name')
  async resume(@Param('name') name: string): Promise<SeeOther> {
    await this.jobs.resume(name);
    return seeOther(JOBS.path, { notice: `${name} runs again.` });
  }

  @Post('retry')
  async retryAll(): Promise<SeeOther> {
    const count = await this.jobs.retry();
    return seeOther(JOBS.path, {
      notice: `${exact(count)} ${count === 1 ? 'event' : 'events'} will be retried.`,
    });
  }

  @Post('events/:id/retry')
  async retry(@Param('id') text: string): Promise<SeeOther> {
    const id = readEventId(text);
    await this.jobs.retry(id);
    return seeOther(JOBS.path, { notice: `Event ${id} will be retried.` });
  }

  @Post('events/:id/discard')
  async discard(@Param('id') text: string): Promise<SeeOther> {
    const id = readEventId(text);
    await this.jobs.discard(id);
    return seeOther(JOBS.path, { notice: `Event ${id} was discarded.` });
  }

  @Post('runs/:id/stop')
  async stopRun(@Param('id') text: string): Promise<SeeOther> {
    const id = readRunId(text);
    await this.jobRuns.stop(id);
    return seeOther(JOBS.path, { notice: `Run ${id} ends at its next step.` });
  }

  @Post('runs/:id/retry')
  async retryRun(@Param('id') text: string): Promise<SeeOther> {
    const id = readRunId(text);
    await this.jobRuns.retry(id);
    return seeOther(JOBS.path, { notice: `Run ${id} goes on in a moment.` });
  }

  @Post('runs/:id/discard')
  async discardRun(@Param('id') text: string): Promise<SeeOther> {
    const id = readRunId(text);
    await this.jobRuns.discard(id);
    return seeOther(JOBS.path, { notice: `Run ${id} was discarded.` });
  }
}

/** Reads the id of a run. @throws RunNotFoundError if the text is not an id */
function readRunId(text: string): bigint {
  const id = parseDecimalInt64(text);
  if (id === undefined) throw new RunNotFoundError(text);
  return id;
}

/** Reads the id of a stored event. @throws EventNotFoundError if the text is not an id */
function readEventId(text: string): bigint {
  const id = parseDecimalInt64(text);
  if (id === undefined) throw new EventNotFoundError(text);
  return id;
}
