import { type Command, InvalidArgumentError } from 'commander';
import { type Cli, JSON_OPTION } from '../../platform/cli/cli';
import { RefusedError, UsageError } from '../../platform/cli/command-error';
import { readText } from '../../platform/cli/option-values';
import { type Subject, subjectOf, subjectText } from '../../platform/audit/committed-event';
import { type Erasure, ErasureService, type Held } from './erasure.service';

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
    .description('show all that is held of a record, a person or a key')
    .argument(
      '<subject>',
      'the subject, such as orders/17, people/oidc:00u1 or keys/key_0123456789abcdef',
      readSubject,
    )
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExamples:\n  petstore audit subject orders/17\n  petstore audit subject orders/17 --json > orders-17.json',
    )
    .action(async (subject: Subject, { json }: { json?: true }) => {
      const held = await cli.withApp((app) => app.get(ErasureService, { strict: false }).held(subject));
      if (json) return cli.output.json({ subject: subjectText(subject), ...held });
      cli.output.table({ header: ['HELD', 'ROWS'], rows: rowsOf(held) });
      cli.output.message('Add --json to see them.');
    });
  audit
    ?.command('erase')
    .description('erase what tells of a person in the audit log under a subject, for good')
    .requiredOption(
      '--subject <subject>',
      'the subject, such as orders/17, people/oidc:00u1 or keys/key_...',
      readSubject,
    )
    .requiredOption(
      '--reason <text>',
      'reason for the audit log, such as the number of the letter; without names',
      readText,
    )
    .option('--yes', 'do not ask for confirmation; needed without a terminal')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nRemove the record first: one that is not removed keeps its values.\n\nExamples:\n  petstore audit erase --subject orders/17 --reason "letter 2026-114"\n  petstore audit erase --subject people/oidc:00u1 --reason "left in 2023" --yes --json',
    )
    .action(async ({ subject, reason, yes, json }: EraseOptions) => {
      const name = subjectText(subject);
      if (!yes && !cli.output.canAsk) throw new UsageError('An erasure is for good: confirm it with --yes.');
      if (!yes && !(await cli.output.confirm(`Erase what tells of a person under ${name}, for good?`))) {
        throw new RefusedError('Nothing was erased.');
      }
      const erasure = await cli.withApp((app) =>
        app.get(ErasureService, { strict: false }).erase(subject, reason),
      );
      if (json) cli.output.json({ subject: name, ...erasure });
      for (const sentence of inWords(name, erasure)) cli.output.message(sentence);
    });
}

function rowsOf({ record, ...lists }: Held): string[][] {
  const counts = Object.entries(lists).map(([name, rows]) => [name, String(rows.length)]);
  return [['record', record === null ? '0' : '1'], ...counts];
}

function* inWords(name: string, { values, left, isOffDisk }: Erasure): Generator<string> {
  yield `${values.toLocaleString('en')} value${values === 1 ? '' : 's'} of ${name} ${values === 1 ? 'was' : 'were'} erased.`;
  if (left.length > 0) {
    yield `The record still has ${left.join(', ')}: remove or change it, then erase again.`;
  }
  if (!isOffDisk) {
    yield 'Another process still reads older pages of the database: erase again, so that they go from its -wal file.';
  }
}

function readSubject(text: string): Subject {
  const subject = subjectOf(text);
  if (!subject) throw new InvalidArgumentError('Write it as orders/17.');
  return subject;
}
