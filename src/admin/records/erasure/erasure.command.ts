import { type Command, InvalidArgumentError } from 'commander';
import { petstore } from '../../../platform/config/called-as';
import { type Cli, JSON_OPTION } from '../../../platform/cli/cli';
import { RefusedError, UsageError } from '../../../platform/cli/command-error';
import { readText } from '../../../platform/cli/option-values';
import { type Subject, subjectOf, subjectText } from '../../../platform/audit/subject';
import { ErasureService } from './erasure.service';
import { erasureInWords } from './erasure-words';
import { type HeldCounts, HeldService, MOST_HELD } from './held.service';

interface EraseOptions {
  readonly subject: Subject;
  readonly reason: string;
  readonly yes?: true;
  readonly json?: true;
}

/** `petstore audit erase` and `petstore audit subject` */
export function addErasureCommands(program: Command, cli: Cli): void {
  const audit = program.commands.find((command) => command.name() === 'audit');
  audit
    ?.command('subject')
    .description('count or print all data about a record, a person or a key')
    .argument(
      '<subject>',
      'the subject, such as orders/17, people/oidc:00u1 or keys/key_0123456789abcdef',
      readSubject,
    )
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} audit subject orders/17\n  ${petstore()} audit subject orders/17 --json > orders-17.json`,
    )
    .action(async (subject: Subject, { json }: { json?: true }) => {
      await cli.withApp(async (app) => {
        const held = app.get(HeldService, { strict: false });
        if (json) return cli.output.stream(held.json(subject));
        cli.output.table({ header: ['DATA', 'ROWS'], rows: rowsOf(await held.count(subject)) });
        cli.output.message('Add --json to print the data.');
      });
    });
  audit
    ?.command('erase')
    .description('erase the personal data of a subject in the audit log, for good')
    .requiredOption(
      '--subject <subject>',
      'the subject, such as orders/17, people/oidc:00u1 or keys/key_...',
      readSubject,
    )
    .requiredOption(
      '--reason <text>',
      'reason for the audit log, without names, such as the number of the letter',
      readText,
    )
    .option('--yes', 'do not ask for confirmation; needed without a terminal')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nRemove the record or revoke the key first: otherwise the fields of the record, or the owner of the key, stay.\n\nExamples:\n  ${petstore()} audit erase --subject orders/17 --reason "letter 2026-114"\n  ${petstore()} audit erase --subject people/oidc:00u1 --reason "left in 2023" --yes --json`,
    )
    .action(async ({ subject, reason, yes, json }: EraseOptions) => {
      const name = subjectText(subject);
      if (!yes && !cli.output.canAsk)
        throw new UsageError('An erasure cannot be undone. Confirm with --yes.');
      if (!yes && !(await cli.output.confirm(`Erase the personal data of ${name} for good?`))) {
        throw new RefusedError('Nothing was erased.');
      }
      const erasure = await cli.withApp((app) =>
        app.get(ErasureService, { strict: false }).erase(subject, reason),
      );
      if (json) cli.output.json({ subject: name, ...erasure });
      for (const sentence of erasureInWords(subject, erasure)) cli.output.message(sentence);
    });
}

function rowsOf(counts: HeldCounts): string[][] {
  return Object.entries(counts).map(([name, count]: [string, number]) => [
    name,
    count > MOST_HELD ? `more than ${MOST_HELD}` : String(count),
  ]);
}

function readSubject(text: string): Subject {
  const subject = subjectOf(text);
  if (!subject) throw new InvalidArgumentError('Write the subject as orders/17.');
  return subject;
}
