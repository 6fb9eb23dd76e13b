import type { Command } from 'commander';
import { type Cli, JSON_OPTION } from '../../platform/cli/cli';
import { CommandError } from '../../platform/cli/command-error';
import { packageVersion } from '../../platform/config/package-version';
import { CHECK_NAMES, examine, type ReportLine } from './examine';

/** How long what still hangs may keep the process from ending, in milliseconds. */
const LINGER_MS = 250;

/** The report for people, who see each line as its check ends. */
const TABLE = {
  header: ['CHECK', 'STATUS', 'FOUND, AND WHAT TO DO'],
  whole: ['FOUND, AND WHAT TO DO'],
  widths: [Math.max(...CHECK_NAMES.map(({ length }) => length))],
};

/** `petstore doctor`: everything a support person would ask. */
export function addDoctorCommand(program: Command, cli: Cli): void {
  program
    .command('doctor')
    .description('check everything the service needs, with a hint for each fault')
    .option('--deep', 'check the whole database; this can take minutes')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nChanges nothing, works beside a running server, and without a database. Exit code 1 when something failed, 0 otherwise.\n\nExamples:\n  petstore doctor\n  petstore doctor --deep --json',
    )
    .action(async ({ deep = false, json }: { deep?: boolean; json?: true }) => {
      const lines: ReportLine[] = [];
      if (!json) cli.output.table({ ...TABLE, rows: [] });
      for await (const line of examine(cli, deep)) {
        lines.push(line);
        if (!json) cli.output.table({ ...TABLE, rows: [cellsOf(line)], isBegun: true });
      }
      const failed = lines.filter(({ status }) => status === 'fail').length;
      const isWell = lines.every(({ status }) => status === 'ok');
      if (json) {
        const status = failed > 0 ? 'fail' : isWell ? 'ok' : 'warn';
        const checkedAt = new Date().toISOString();
        cli.output.json({ status, version: packageVersion(), checkedAt, checks: lines });
      }
      // A server that does not answer would keep connections open, and the process with them.
      setTimeout(() => process.exit(), LINGER_MS).unref();
      if (failed > 0) throw new CommandError(failed === 1 ? 'One check failed.' : `${failed} checks failed.`);
    });
}

function cellsOf({ name, status, found, advice }: ReportLine): string[] {
  return [name, status, advice === null ? found : `${found} -> ${advice}`];
}
