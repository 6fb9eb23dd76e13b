import type { Command } from 'commander';
import { type Cli, FORM_OPTION, JSON_OPTION } from '../../platform/cli/cli';
import { readText } from '../../platform/cli/option-values';
import { petstore } from '../../platform/config/called-as';
import { FindService, type FindTarget, textToFind } from './find.service';

/** `petstore find`: finds records, API keys, requests and changes by what a person has at hand. */
export function addFindCommand(program: Command, cli: Cli): void {
  program
    .command('find')
    .description('find records, API keys, requests and changes by a number, name or id')
    .argument(
      '<text>',
      'number or beginning of the name of a record; name, id or beginning of an API key; request id; subject or actor of changes',
      readText,
    )
    .option(...JSON_OPTION)
    .option(...FORM_OPTION)
    .addHelpText(
      'after',
      `\nAt most five of each type are shown, each with the command that shows more.\n\nExamples:\n  ${petstore()} find rex\n  ${petstore()} find "pet 17"\n  ${petstore()} find 6f1f7e6c-6a0e-4c8e-9d6b-1f6f3c1d2a3b --json`,
    )
    .action(async (typed: string, { json }: { json?: true }) => {
      const text = textToFind(typed);
      const found = await cli.withApp((app) => app.get(FindService).find(text), undefined, {
        changesNothing: true,
      });
      const items = found.map(({ target, title, note = null }) => {
        const { type, command } = shownBy(target);
        return { type, title, note, command };
      });
      if (json) return cli.output.json({ items });
      if (items.length === 0) {
        cli.output.message('Nothing was found. Names are found by their beginning, ids in full.');
        return;
      }
      cli.output.table({
        header: ['TYPE', 'TITLE', 'NOTE', 'COMMAND'],
        rows: items.map(({ type, title, note, command }) => [type, title, note ?? '-', command]),
        whole: ['COMMAND'],
        spare: ['NOTE'],
      });
    });
}

/** The type of a result in words, and the command that shows it. */
function shownBy(target: FindTarget): { type: string; command: string } {
  switch (target.type) {
    case 'record':
      return {
        type: target.recordType.one,
        command: `${petstore()} ${target.recordType.name} show ${target.id}`,
      };
    case 'key':
      return { type: 'API key', command: `${petstore()} keys show ${target.id}` };
    case 'request':
      return { type: 'request', command: `${petstore()} requests show ${word(target.requestId)}` };
    case 'change':
      return {
        type: 'change',
        command: `${petstore()} audit list --subject ${word(target.subject)} --after ${target.id + 1n} --limit 1`,
      };
    default:
      return { type: 'changes', command: `${petstore()} audit list --${target.by} ${word(target.value)}` };
  }
}

/** One word of a shell: what others chose, such as a request id, must not become a command when it is copied. */
function word(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : quoted(text);
}

/** Quotes a text as a word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
