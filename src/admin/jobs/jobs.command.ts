import type { Command } from 'commander';
import { petstore } from '../../platform/config/called-as';
import { type Cli, FORM_OPTION, JSON_OPTION } from '../../platform/cli/cli';
import { UsageError } from '../../platform/cli/command-error';
import { readCount, readId } from '../../platform/cli/option-values';
import { addRunCommands, discardRun, retryRun } from './job-run-commands';
import {
  type FailedEventView,
  type HandlerView,
  JobsService,
  type JobView,
  type WaitingEventView,
} from './jobs.service';

interface JsonOption {
  readonly json?: true;
}

interface RunOption extends JsonOption {
  readonly run?: bigint;
}

interface RetryOptions extends RunOption {
  readonly all?: true;
  readonly dryRun?: true;
}

const RUN_OPTION = ['--run <run>', 'id of the run, shown by jobs runs', readId] as const;

/** `petstore jobs`: shows scheduled methods and events that are stored for handlers, and retries or discards events. */
export function addJobCommands(program: Command, cli: Cli): void {
  const jobs = program
    .command('jobs')
    .description('show scheduled jobs, runs of jobs and stored events; stop, retry or discard them')
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} jobs list\n  ${petstore()} jobs runs\n  ${petstore()} jobs waiting\n  ${petstore()} jobs retry 4711`,
    );

  addListCommand(jobs, cli);
  addHandlersCommand(jobs, cli);
  addWaitingCommand(jobs, cli);
  addFailedCommand(jobs, cli);
  addRunCommands(jobs, cli);
  addRetryCommand(jobs, cli);
  addDiscardCommand(jobs, cli);
  addRunCommand(jobs, cli);
  addPauseCommands(jobs, cli);
}

function addListCommand(jobs: Command, cli: Cli): void {
  examples(
    jobs.command('list').description('list scheduled jobs and when they run next'),
    'list',
    'list --json',
  )
    .option(...JSON_OPTION)
    .option(...FORM_OPTION)
    .action(async ({ json }: JsonOption) => {
      const items = await cli.withApp((app) => app.get(JobsService).scheduled());
      if (json) return cli.output.json({ items });
      cli.output.table({
        header: ['JOB', 'SCHEDULE', 'NEXT', 'LAST', 'STATE'],
        rows: items.map(jobRow),
        whole: ['NEXT', 'LAST'],
        spare: ['SCHEDULE'],
        wrapped: 'STATE',
      });
    });
}

function addHandlersCommand(jobs: Command, cli: Cli): void {
  examples(
    jobs
      .command('handlers')
      .description(
        'list the handlers of stored events, with the number of events that wait for each handler',
      ),
    'handlers',
    'handlers --json',
  )
    .option(...JSON_OPTION)
    .option(...FORM_OPTION)
    .action(async ({ json }: JsonOption) => {
      const items = await cli.withApp((app) => app.get(JobsService).backlogs());
      if (json) return cli.output.json({ items });
      cli.output.table({ header: ['HANDLER', 'WAITING', 'FAILED', 'OLDEST'], rows: items.map(handlerRow) });
    });
}

function addWaitingCommand(jobs: Command, cli: Cli): void {
  examples(
    jobs
      .command('waiting')
      .description('list events that wait for their handler, with last error and next attempt, oldest first'),
    'waiting',
    'waiting --limit 500 --json',
  )
    .option('--limit <number>', 'most events to list', readCount, 50)
    .option(...JSON_OPTION)
    .option(...FORM_OPTION)
    .action(async ({ limit, json }: JsonOption & { limit: number }) => {
      const items = await cli.withApp((app) => app.get(JobsService).waiting(limit));
      if (json) return cli.output.json({ items });
      const header = ['ID', 'EVENT', 'HANDLER', 'SUBJECT', 'PUBLISHED', 'ATTEMPTS', 'NEXT', 'ERROR'];
      cli.output.table({
        header,
        rows: items.map(waitingRow),
        whole: ['NEXT'],
        spare: ['PUBLISHED', 'EVENT'],
        wrapped: 'ERROR',
      });
    });
}

function addFailedCommand(jobs: Command, cli: Cli): void {
  examples(
    jobs.command('failed').description('list events whose handler has failed for good, oldest first'),
    'failed',
    'failed --limit 500 --json',
  )
    .option('--limit <number>', 'most events to list', readCount, 50)
    .option(...JSON_OPTION)
    .option(...FORM_OPTION)
    .action(async ({ limit, json }: JsonOption & { limit: number }) => {
      const items = await cli.withApp((app) => app.get(JobsService).failed(limit));
      if (json) return cli.output.json({ items });
      const header = ['ID', 'EVENT', 'HANDLER', 'SUBJECT', 'PUBLISHED', 'ERROR'];
      cli.output.table({ header, rows: items.map(failedRow), spare: ['EVENT'], wrapped: 'ERROR' });
    });
}

function addRetryCommand(jobs: Command, cli: Cli): void {
  examples(
    jobs
      .command('retry')
      .description('retry a failed or waiting event now, all failed events, or a run of a job'),
    'retry 4711',
    'retry --all',
    'retry --run 12',
  )
    .argument('[id]', 'id of the event, shown by jobs failed and jobs waiting', readId)
    .option('--all', 'retry all failed events')
    .option(...RUN_OPTION)
    .option('--dry-run', 'change nothing, and say how many events would be retried')
    .option(...JSON_OPTION)
    .action(async (id: bigint | undefined, { all, run, dryRun, json }: RetryOptions) => {
      if ([id, all, run].filter((given) => given !== undefined).length !== 1)
        throw new UsageError('Give the id of an event, --all, or --run with the id of a run.');
      if (run !== undefined && dryRun) throw new UsageError('--dry-run is for events: leave it out.');
      if (dryRun) {
        const count = await cli.withApp((app) => app.get(JobsService).countRetriable(id));
        if (json) return cli.output.json({ retried: 0, retriable: count });
        return cli.output.message(`${count} ${count === 1 ? 'event' : 'events'} would be retried.`);
      }
      if (run !== undefined) return retryRun(cli, run, json);
      const retried = await cli.withApp((app) => app.get(JobsService).retry(id));
      if (json) return cli.output.json({ retried });
      cli.output.message(`${retried} ${retried === 1 ? 'event' : 'events'} will be retried.`);
    });
}

function addDiscardCommand(jobs: Command, cli: Cli): void {
  examples(
    jobs
      .command('discard')
      .description(
        'discard a failed or waiting event, which no handler gets then, or a run that no process works on',
      ),
    'discard 4711',
    'discard --run 12',
  )
    .argument('[id]', 'id of the event, shown by jobs failed and jobs waiting', readId)
    .option(...RUN_OPTION)
    .option(...JSON_OPTION)
    .action(async (id: bigint | undefined, { run, json }: RunOption) => {
      if (run !== undefined && id === undefined) return discardRun(cli, run, json);
      if (id === undefined || run !== undefined)
        throw new UsageError('Give the id of an event, or --run with the id of a run.');
      await cli.withApp((app) => app.get(JobsService).discard(id));
      if (json) return cli.output.json({ discarded: id });
      cli.output.message(`Event ${id} was discarded.`);
    });
}

function addRunCommand(jobs: Command, cli: Cli): void {
  examples(
    jobs.command('run').description('run a scheduled job now, in a process of the service'),
    'run Reports.sendMonthly',
  )
    .argument('<job>', 'name of the job, shown by jobs list')
    .option(...JSON_OPTION)
    .action(async (job: string, { json }: JsonOption) => {
      await cli.withApp((app) => app.get(JobsService).run(job));
      if (json) return cli.output.json({ job });
      cli.output.message(`${job} runs as soon as a process of the service is free.`);
    });
}

function addPauseCommands(jobs: Command, cli: Cli): void {
  const add = (name: 'pause' | 'resume', description: string, done: (job: string) => string) =>
    examples(jobs.command(name).description(description), `${name} Reports.sendMonthly`)
      .argument('<job>', 'name of the job, shown by jobs list')
      .option(...JSON_OPTION)
      .action(async (job: string, { json }: JsonOption) => {
        await cli.withApp((app) => app.get(JobsService)[name](job));
        if (json) return cli.output.json({ job });
        cli.output.message(done(job));
      });
  add(
    'pause',
    'keep a scheduled job from running on any node',
    (job) => `${job} does not run until it is resumed.`,
  );
  add(
    'resume',
    'let a paused job run again',
    (job) => `${job} runs again, at once if a run was due meanwhile.`,
  );
}

function examples(command: Command, ...lines: string[]): Command {
  return command.addHelpText(
    'after',
    `\nExamples:\n${lines.map((line) => `  ${petstore()} jobs ${line}`).join('\n')}`,
  );
}

function jobRow(job: JobView): string[] {
  return [job.name, job.times, job.next, job.lastStart ?? '-', stateOf(job)];
}

function stateOf({ isRunning, isOverdue, pausedSince, lastEnd, error }: JobView): string {
  if (isRunning) return 'running';
  if (pausedSince !== null) return 'paused';
  if (error !== null) return error;
  if (isOverdue) return 'overdue';
  return lastEnd === null ? 'never ran' : 'ok';
}

function handlerRow({ handler, waiting, failed, oldest, isKnown }: HandlerView): string[] {
  const name = isKnown ? handler : `${handler} (not in this version)`;
  return [name, String(waiting), String(failed), oldest ?? '-'];
}

function waitingRow(row: WaitingEventView): string[] {
  const { id, event, handler, subject, published, attempts, next, behind, error } = row;
  const when = next ?? (behind === null ? 'now' : `after ${behind}`);
  return [String(id), event, handler, subject ?? '-', published, String(attempts), when, error ?? '-'];
}

function failedRow({ id, event, handler, subject, published, error }: FailedEventView): string[] {
  return [String(id), event, handler, subject ?? '-', published, error ?? '-'];
}
