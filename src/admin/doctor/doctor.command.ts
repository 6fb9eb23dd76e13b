import type { Command } from 'commander';
import { petstore } from '../../platform/config/called-as';
import { type Cli, type CommandGroup, JSON_OPTION } from '../../platform/cli/cli';
import { CommandError } from '../../platform/cli/command-error';
import type { FeatureSettings } from '../../platform/config/setting';
import { buildCommit, packageVersion } from '../../platform/config/package-version';
import { wrapWords } from '../../platform/cli/table-layout';
import { CHECKS } from './checks';
import { examine, type ExaminedLine, type ReportLine } from './examine';

/** Fixed widths: each line is written as its check ends, before the next name is known. */
const WIDTHS = [Math.max(...CHECKS.map(({ name }) => name.length))];

/**
 * `petstore doctor`: checks everything a support person would ask.
 *
 * @param features returns the settings that features declare
 */
export function doctorCommand(features: () => Promise<readonly FeatureSettings[]>): CommandGroup {
  return (program, cli) => addDoctorCommand(program, cli, features);
}

function addDoctorCommand(
  program: Command,
  cli: Cli,
  features: () => Promise<readonly FeatureSettings[]>,
): void {
  program
    .command('doctor')
    .description('check everything the service needs, with a remedy for each fault')
    .option('--deep', 'check the whole database; this can take minutes')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nChanges nothing, and works while the service runs and without a database. Exit code 1 when a check failed, 0 otherwise.\n\nExamples:\n  ${petstore()} doctor\n  ${petstore()} doctor --deep --json`,
    )
    .action(async ({ deep = false, json }: { deep?: boolean; json?: true }) => {
      const lines: ReportLine[] = [];
      if (!json) cli.output.table({ ...tableFor(cli), rows: [] });
      for await (const each of examine(cli, deep, await features())) {
        lines.push(each.line);
        if (!json) show(cli, each);
      }
      const failed = lines.filter(({ status }) => status === 'fail').length;
      const isWell = lines.every(({ status }) => status === 'ok');
      if (json) {
        const status = failed > 0 ? 'fail' : isWell ? 'ok' : 'warn';
        const checkedAt = new Date().toISOString();
        cli.output.json({
          status,
          version: packageVersion(),
          commit: buildCommit(),
          checkedAt,
          checks: lines,
        });
      }
      if (failed > 0) throw new CommandError(failed === 1 ? 'One check failed.' : `${failed} checks failed.`);
    });
}

/** Writes the advice into the line of its check in a pipe, for programs, and below it on a terminal. */
function show(cli: Cli, { line: { name, status, found, advice }, commands }: ExaminedLine): void {
  const isBelow = cli.output.isTerminal;
  const text = advice === null || isBelow ? found : `${found} -> ${advice}`;
  cli.output.table({ ...tableFor(cli), rows: [[name, status, text]], isBegun: true });
  if (advice === null || !isBelow) return;
  const { columns = 0 } = cli.output;
  const lines = wrapWords(`hint: ${advice}`, columns > 0 ? columns - 4 : Infinity);
  cli.output.text(
    [
      ...lines.map((line, i) => (i === 0 ? `  ${line}` : `    ${line}`)),
      ...commands.map((command) => `    ${command}`),
    ]
      .map((line) => `${line}\n`)
      .join(''),
  );
}

function tableFor(cli: Cli) {
  const found = cli.output.isTerminal ? 'FOUND' : 'RESULT AND REMEDY';
  return { header: ['CHECK', 'STATUS', found], whole: [found], wrapped: found, widths: WIDTHS };
}
