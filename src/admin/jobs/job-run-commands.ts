import { type Command, Option } from 'commander';
import { petstore } from '../../platform/config/called-as';
import { type Cli, FORM_OPTION, JSON_OPTION } from '../../platform/cli/cli';
import { readCount, readId, readText } from '../../platform/cli/option-values';
import { RUN_STATES, type RunState } from '../../platform/jobs/stored-run.entity';
import { JobRunsService, type RunView } from './job-runs.service';

interface RunsOptions {
  readonly job?: string;
  readonly state?: RunState;
  readonly limit: number;
  readonly json?: true;
}

/** `petstore jobs runs` and `stop`: shows how far jobs are, and stops one. */
export function addRunCommands(jobs: Command, cli: Cli): void {
  jobs
    .command('runs')
    .description('list the runs of jobs and their progress, newest first')
    .option('--job <job>', 'only runs of this job, such as Shipping.ship', readText)
    .addOption(
      new Option('--state <state>', 'only runs in this state; "waiting" includes running').choices(
        RUN_STATES,
      ),
    )
    .option('--limit <number>', 'most runs to list', readCount, 50)
    .option(...JSON_OPTION)
    .option(...FORM_OPTION)
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} jobs runs\n  ${petstore()} jobs runs --state failed --json`,
    )
    .action(async ({ job, state, limit, json }: RunsOptions) => {
      const filter = { ...(job !== undefined && { job }), ...(state && { state }) };
      const items = await cli.withApp((app) => app.get(JobRunsService).list(filter, limit));
      if (json) return cli.output.json({ items });
      const header = ['RUN', 'JOB', 'STATE', 'DONE', 'STARTED', 'BY', 'ATTEMPTS', 'NEXT', 'ERROR'];
      cli.output.table({
        header,
        rows: items.map(runRow),
        whole: ['STARTED'],
        spare: ['ATTEMPTS', 'BY', 'NEXT'],
        wrapped: 'ERROR',
      });
    });

  jobs
    .command('stop')
    .description('stop a run at its next step; jobs retry continues the run')
    .argument('<run>', 'id of the run, shown by jobs runs', readId)
    .option(...JSON_OPTION)
    .addHelpText('after', `\nExamples:\n  ${petstore()} jobs stop 12`)
    .action(async (run: bigint, { json }: { json?: true }) => {
      await cli.withApp((app) => app.get(JobRunsService).stop(run));
      if (json) return cli.output.json({ stopped: run });
      cli.output.message(
        `Run ${run} ends at its next step. To continue: ${petstore()} jobs retry --run ${run}`,
      );
    });
}

/** Continues a run. */
export async function retryRun(cli: Cli, run: bigint, json: true | undefined): Promise<void> {
  await cli.withApp((app) => app.get(JobRunsService).retry(run));
  if (json) return cli.output.json({ retriedRun: run });
  cli.output.message(`Run ${run} continues as soon as a process of the service is free.`);
}

/** Discards a run. */
export async function discardRun(cli: Cli, run: bigint, json: true | undefined): Promise<void> {
  await cli.withApp((app) => app.get(JobRunsService).discard(run));
  if (json) return cli.output.json({ discardedRun: run });
  cli.output.message(`Run ${run} was discarded.`);
}

function runRow(run: RunView): string[] {
  const { id, job, isKnown, state, done, total, started, startedBy, attempts, next, error } = run;
  const name = isKnown ? job : `${job} (not in this version)`;
  const of = total === null ? '' : ` of ${total}`;
  const progress = done === null ? '-' : `${done}${of}`;
  return [String(id), name, state, progress, started, startedBy, String(attempts), next ?? '-', error ?? '-'];
}
