import type { Command } from 'commander';
import { type Cli, JSON_OPTION } from '../../platform/cli/cli';
import { exportKeys, importKeys } from './personal-keys';

interface JsonOption {
  readonly json?: true;
}

/** `petstore db export-keys` and `petstore db import-keys` */
export function addPersonalKeyCommands(program: Command, cli: Cli): void {
  const db = program.commands.find((command) => command.name() === 'db');
  db?.command('export-keys')
    .description('write the keys of personal values of the audit log to a file, in place of the one before')
    .argument('<file>', 'the file; keep one, and no older ones')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nOn SQLite "petstore db backup" does it as well.\n\nExamples:\n  petstore db export-keys personal-keys.ndjson\n  petstore db export-keys personal-keys.ndjson --json',
    )
    .action(async (file: string, { json }: JsonOption) => {
      const exported = await cli.withDatabase((dataSource) => exportKeys(dataSource, file));
      if (json) cli.output.json({ exported });
      cli.output.message(`${keysInWords(exported)} written to ${file}.`);
    });
  db?.command('import-keys')
    .description('add the keys of personal values to a restored database')
    .argument('<file>', 'the newest file of db export-keys or db backup')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nRun it before the service starts on the restored database.\n\nExamples:\n  petstore db import-keys personal-keys.ndjson\n  petstore db import-keys personal-keys.ndjson --json',
    )
    .action(async (file: string, { json }: JsonOption) => {
      const result = await cli.withDatabase((dataSource) => importKeys(dataSource, file));
      if (json) cli.output.json(result);
      const { imported, leftOut } = result;
      cli.output.message(`${keysInWords(imported)} added from ${file}.`);
      if (leftOut > 0) {
        cli.output.message(
          `${keysInWords(leftOut)} left out: what the database has of the subject was erased after the backup. "petstore audit verify" names it.`,
        );
      }
    });
}

function keysInWords(count: number): string {
  return `${count.toLocaleString('en')} key${count === 1 ? ' was' : 's were'}`;
}
