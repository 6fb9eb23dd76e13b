import { Get, Param, Post } from '@nestjs/common';
import { readSlice } from '../../../platform/database/statements/page';
import { parseDecimalInt64 } from '../../../platform/values/int64';
import { EventNotFoundError } from '../../jobs/jobs.errors';
import { JobsService } from '../../jobs/jobs.service';
import { ConsoleController, ConsoleScopes } from '../frame/console-controller.decorator';
import { type ConsoleRequest, CurrentRequest } from '../http/console-request';
import { type ConsolePage, page, seeOther, type SeeOther } from '../http/page';

export const JOBS = { title: 'Jobs', path: '/admin/jobs' } as const;

/** Number of waiting and of failed events that the page shows; the command line lists more. */
const MAX_EVENTS = 100;

/** The page of scheduled jobs, handlers of stored events, and the events that wait or have failed. */
@ConsoleController('jobs')
export class JobsController {
  constructor(private readonly jobs: JobsService) {}

  @Get()
  async show(@CurrentRequest() request: ConsoleRequest): Promise<ConsolePage> {
    const [scheduled, backlogs, waiting, failed] = await Promise.all([
      this.jobs.scheduled(),
      this.jobs.backlogs(),
      readSlice(MAX_EVENTS, (limit) => this.jobs.waiting(limit)),
      readSlice(MAX_EVENTS, (limit) => this.jobs.failed(limit)),
    ]);
    const data = { scheduled, backlogs, waiting, failed, mayChange: request.can('admin:jobs') };
    return page('/jobs/jobs', { title: JOBS.title, data });
  }
}

/** Runs jobs, and retries or discards events, for operators with the scope. */
@ConsoleController('jobs')
@ConsoleScopes('admin:jobs')
export class JobChangesController {
  constructor(private readonly jobs: JobsService) {}

  @Post('run/:name')
  async run(@Param('name') name: string): Promise<SeeOther> {
    await this.jobs.run(name);
    return seeOther(JOBS.path, { notice: `${name} runs in a moment.` });
  }

  @Post('retry')
  async retryAll(): Promise<SeeOther> {
    const count = await this.jobs.retry();
    return seeOther(JOBS.path, {
      notice: `${count} ${count === 1 ? 'event' : 'events'} will be retried.`,
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
}

/** Reads the id of a stored event. @throws EventNotFoundError if the text is not an id */
function readEventId(text: string): bigint {
  const id = parseDecimalInt64(text);
  if (id === undefined) throw new EventNotFoundError(text);
  return id;
}
