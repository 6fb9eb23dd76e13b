import type { Command } from 'commander';
import { petstore } from '../../../platform/config/called-as';
import { type Cli, JSON_OPTION } from '../../../platform/cli/cli';
import { RefusedError, UsageError } from '../../../platform/cli/command-error';
import { type DistributionPlan, DistributionService } from './distribution.service';

interface Options {
  readonly plan?: true;
  readonly apply?: true;
  readonly yes?: true;
  readonly json?: true;
}

/** Long enough to copy a table, in milliseconds. */
const STATEMENT_TIMEOUT_MS = 24 * 60 * 60 * 1_000;

/** `petstore db distribute`: lets Citus keep the rows of modules on several machines. */
export function addDistributeCommand(program: Command, cli: Cli): void {
  const db = program.commands.find((command) => command.name() === 'db');
  db?.command('distribute')
    .description('distribute the tables of modules over the Citus workers')
    .option('--plan', 'show where each table belongs and why, and what would be changed')
    .option('--apply', 'distribute the tables in one transaction; writes to the tables wait for its end')
    .option('--yes', 'do not ask for confirmation; needed without a terminal')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nDATABASE_URL must point to the coordinator. Changes nothing when every table is in its place.\n\nExamples:\n  ${petstore()} db distribute --plan\n  ${petstore()} db distribute --apply --yes --json`,
    )
    .action(async ({ plan, apply, yes, json }: Options) => {
      if ((plan === true) === (apply === true)) throw new UsageError('Give either --plan or --apply.');
      if (apply && !yes && !cli.output.canAsk) {
        throw new UsageError('Distributing tables delays writes. Confirm with --yes.');
      }
      const work = plan ? planned : (service: DistributionService) => applied(service, yes === true, cli);
      const result = await cli.withApp((app) => work(app.get(DistributionService, { strict: false })), {
        databaseStatementTimeoutMs: STATEMENT_TIMEOUT_MS,
      });
      if (json) cli.output.json({ isApplied: apply === true, ...result });
      else show(cli, result);
      cli.output.message(saying(result, apply === true));
    });
}

const planned = (service: DistributionService) => service.plan();

async function applied(
  service: DistributionService,
  isConfirmed: boolean,
  cli: Cli,
): Promise<DistributionPlan> {
  if (!isConfirmed) {
    const { statements, workers } = await service.plan();
    const question = `Run ${statements.length} statements that distribute tables over ${workers} workers? Writes to the tables wait meanwhile.`;
    if (statements.length > 0 && !(await cli.output.confirm(question))) {
      throw new RefusedError('Nothing was changed.');
    }
  }
  return service.apply();
}

function show(cli: Cli, { tables, statements }: DistributionPlan): void {
  cli.output.table({
    header: ['TABLE', 'NOW', 'BELONGS', 'BY', 'WITH', 'WHY'],
    rows: tables.map(({ table, now, place, column, colocatedWith, reason }) => [
      table,
      now,
      place,
      column ?? '',
      colocatedWith ?? '',
      reason,
    ]),
    whole: ['WHY'],
    wrapped: 'WHY',
  });
  cli.output.table({
    header: ['STATEMENT'],
    rows: statements.map((statement) => [statement]),
    whole: ['STATEMENT'],
  });
}

function saying({ statements, workers }: DistributionPlan, isApplied: boolean): string {
  if (statements.length === 0) return 'Every table is in its place. There is nothing to do.';
  return isApplied
    ? `The tables are distributed over ${workers} workers.`
    : 'Nothing was changed: --apply runs these statements in one transaction.';
}
