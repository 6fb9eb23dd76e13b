import type { Command } from 'commander';
import { petstore } from '../../../platform/config/called-as';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { type Cli, JSON_OPTION } from '../../../platform/cli/cli';
import { RefusedError } from '../../../platform/cli/command-error';
import { readId } from '../../../platform/cli/option-values';
import { UndoService } from '../undo.service';
import { leftAloneInWords } from './left-alone-in-words';
import { withRecords } from './with-records';

/** `petstore <kind> undo` */
export function addUndoCommand(group: Command, recordType: AdminRecords, cli: Cli): void {
  const { name } = recordType;
  group
    .command('undo')
    .description(`undo a change of ${name}, or a bulk change as a whole`)
    .argument('<change>', 'id of the change, shown by history and audit list', readId)
    .option('--dry-run', `change nothing, and say how many ${name} the change has`)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nRecords that were changed since then, or that are refused, keep their values and are listed.\n\nExamples:\n  ${petstore()} ${name} undo 4711\n  ${petstore()} ${name} undo 4711 --json`,
    )
    .action(async (change: bigint, { dryRun, json }: { dryRun?: true; json?: true }) => {
      if (dryRun) {
        const count = await withRecords(cli, (_records, app) =>
          app.get(UndoService, { strict: false }).count(recordType, change),
        );
        if (json) return cli.output.json({ undone: 0, changed: count });
        return cli.output.message(
          `The change of ${countInWords(count, recordType)} would be undone, unless changed since. Nothing was changed.`,
        );
      }
      const outcome = await withRecords(cli, (_records, app) =>
        app.get(UndoService, { strict: false }).undo(recordType, change),
      );
      const { stopped = null } = outcome;
      if (json) cli.output.json({ ...outcome, change: outcome.change ?? null, stopped });
      for (const sentence of leftAloneInWords('undone', outcome.leftAlone)) cli.output.message(sentence);
      if (outcome.change === undefined) throw new RefusedError('Nothing was changed.');
      cli.output.message(`The change of ${countInWords(outcome.undone, recordType)} was undone.`);
      if (stopped !== null) throw new RefusedError(`The undo ended early: ${stopped}`);
    });
}

function countInWords(count: number, { name, one }: AdminRecords): string {
  return count === 1 ? `1 ${one}` : `${count.toLocaleString('en')} ${name}`;
}
