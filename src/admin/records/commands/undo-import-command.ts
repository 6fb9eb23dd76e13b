import type { Command } from 'commander';
import { petstore } from '../../../platform/config/called-as';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { type Cli, JSON_OPTION } from '../../../platform/cli/cli';
import { CommandError, RefusedError, UsageError } from '../../../platform/cli/command-error';
import { interruptible } from '../../../platform/cli/interruption';
import { readId } from '../../../platform/cli/option-values';
import { actionsOffered } from '../record-actions';
import { ImportLedger } from '../transfer/import-ledger.repository';
import { ImportUndo, type ImportUndoReport } from '../transfer/import-undo.service';
import type { LeftAlone } from '../record-change';
import { leftAloneInWords, NAMED } from './left-alone-in-words';
import { withRecords } from './with-records';

/** `petstore <kind> undo-import` */
export function addUndoImportCommand(group: Command, recordType: AdminRecords, cli: Cli): void {
  const { name, one } = recordType;
  const isForGood = !actionsOffered(recordType).restore;
  group
    .command('undo-import')
    .description(`remove the ${name} that an import added${isForGood ? ', for good' : ''}`)
    .argument('<import>', 'number of the import, shown by import and audit list', readId)
    .option('--yes', `do not ask for confirmation${isForGood ? '; needed without a terminal' : ''}`)
    .option('--dry-run', `change nothing, and say how many ${name} would be removed`)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nRecords that were changed since then, or that cannot be removed, stay and are listed.\n\nExamples:\n  ${petstore()} ${name} undo-import 12\n  ${petstore()} ${name} undo-import 12 --yes --json`,
    )
    .action(async (run: bigint, { yes, dryRun, json }: { yes?: true; dryRun?: true; json?: true }) => {
      if (dryRun) return sayRemaining(cli, recordType, run, json);
      const { canAsk } = cli.output;
      if (isForGood && !yes && !canAsk)
        throw new UsageError(`A removed ${one} cannot be restored. Confirm with --yes.`);
      if (!yes && canAsk && !(await cli.output.confirm(`Remove the ${name} that import ${run} added?`)))
        throw new RefusedError('Nothing was changed.');
      const { report, leftAlone } = await undoImport(cli, recordType, run);
      const { undone, remaining } = report;
      if (json) cli.output.json({ ...report, leftAlone });
      for (const sentence of leftAloneInWords('removed', leftAlone, report.leftAlone))
        cli.output.message(sentence);
      cli.output.message(
        `${amount(undone)} ${undone === 1 ? `${one} of import ${run} was` : `${name} of import ${run} were`} removed.`,
      );
      if (remaining > 0)
        throw new CommandError(
          `Interrupted: ${amount(remaining)} ${remaining === 1 ? `${one} is` : `${name} are`} left. Run the same command again to continue.`,
        );
    });
}

/** Says how many records an undo would remove. */
async function sayRemaining(
  cli: Cli,
  recordType: AdminRecords,
  run: bigint,
  json: true | undefined,
): Promise<void> {
  const { name, one } = recordType;
  const report = await withRecords(cli, (_records, app) =>
    app.get(ImportUndo, { strict: false }).preview(recordType, run),
  );
  if (json) return cli.output.json({ ...report, leftAlone: [] });
  const { remaining } = report;
  cli.output.message(
    `${amount(remaining)} ${remaining === 1 ? one : name} of import ${run} would be removed, unless changed since. Nothing was changed.`,
  );
}

async function undoImport(
  cli: Cli,
  recordType: AdminRecords,
  run: bigint,
): Promise<{ report: ImportUndoReport; leftAlone: LeftAlone[] }> {
  const bar = await cli.output.progress(`Removing ${recordType.name}`);
  let isStarted = false;
  const onPiece = ({ undone, leftAlone, remaining }: ImportUndoReport) => {
    const done = undone + leftAlone;
    if (isStarted) bar.update(done);
    else bar.start(done + remaining, done);
    isStarted = true;
  };
  try {
    return await interruptible((signal) =>
      withRecords(cli, async (_records, app) => {
        const undoing = app.get(ImportUndo, { strict: false });
        const report = await undoing.undo(recordType, run, { signal, onPiece });
        return { report, leftAlone: await app.get(ImportLedger, { strict: false }).leftAlone(run, NAMED) };
      }),
    );
  } finally {
    bar.stop();
  }
}

function amount(count: number): string {
  return count.toLocaleString('en');
}
