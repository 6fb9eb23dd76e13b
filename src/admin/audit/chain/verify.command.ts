import type { Command } from 'commander';
import { type Cli, JSON_OPTION } from '../../../platform/cli/cli';
import { CommandError } from '../../../platform/cli/command-error';
import { readText } from '../../../platform/cli/option-values';
import { ProgressBar } from '../../../platform/cli/progress-bar';
import { readAnchors } from './anchors';
import { type ChainReport, AuditVerifier } from './audit-verifier.service';

interface VerifyCommandOptions {
  readonly anchor?: string;
  readonly json?: true;
}

/** `petstore audit verify` */
export function addVerifyCommand(program: Command, cli: Cli): void {
  const audit = program.commands.find((command) => command.name() === 'audit');
  audit
    ?.command('verify')
    .description('check that no change was altered, removed, inserted or moved since it was sealed')
    .option('--anchor <file>', 'compare with the anchors in this file or in a log of the service', readText)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExit code 0 when the log is intact, 1 when it is not.\n\nExamples:\n  petstore audit verify\n  petstore audit verify --anchor /mnt/anchors/petstore.ndjson --json',
    )
    .action(async ({ anchor, json }: VerifyCommandOptions) => {
      // Before the database: an anchor written in the meantime would seem to lie beyond the end of the chain.
      const anchors = anchor === undefined ? undefined : await readAnchors(anchor);
      const bar = new ProgressBar(cli.output, 'Verifying');
      bar.start(undefined, 0);
      const report = await cli
        .withApp((app) =>
          app.get(AuditVerifier, { strict: false }).verify({
            ...(anchors && { anchors }),
            onPage: (done, all) => bar.update(done, all),
          }),
        )
        .finally(() => bar.stop());
      if (json) cli.output.json({ whole: report.fault === null, ...report });
      if (report.fault) throw new CommandError(report.fault.message);
      cli.output.message(inWords(report, anchors?.size));
    });
}

function inWords(
  { verified, erased, unfinished, unsealed, begin }: ChainReport,
  anchors: number | undefined,
): string {
  const sentences = [
    `${numbered(verified)} verified: ${verified === 1 ? 'it matches its seal' : 'they match their seals'}.`,
  ];
  if (erased > 0) {
    const are = erased === 1 ? 'value in them is' : 'values in them are';
    sentences.push(`${erased.toLocaleString('en')} personal ${are} erased.`);
  }
  for (const subject of unfinished) {
    sentences.push(`The erasure of ${subject} has not ended: if it was interrupted, repeat it.`);
  }
  if (begin) sentences.push(`The ${begin.sequence} before event ${begin.eventId + 1n} have been removed.`);
  if (anchors !== undefined) sentences.push('They fit the anchors.');
  if (unsealed > 0) {
    sentences.push(`${numbered(unsealed)} at the end ${unsealed === 1 ? 'is' : 'are'} not sealed yet.`);
  }
  return sentences.join(' ');
}

function numbered(count: number): string {
  return `${count.toLocaleString('en')} change${count === 1 ? '' : 's'}`;
}
