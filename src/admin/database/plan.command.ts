import type { Command } from 'commander';
import { type Cli, JSON_OPTION } from '../../platform/cli/cli';
import { CommandError, RefusedError } from '../../platform/cli/command-error';
import { describeLocation } from '../../platform/database/driver/database-url';
import {
  describeFindings,
  type MigrationPlan,
  planMigrations,
} from '../../platform/database/plan/plan-migrations';
import { CannotPlanError } from '../../platform/database/plan/scratch';

/** `petstore db plan`: what pending migrations would do. */
export function addPlanCommand(program: Command, cli: Cli): void {
  const db = program.commands.find((command) => command.name() === 'db');
  db?.command('plan')
    .description('show what pending migrations would do, and which of it would hurt; changes nothing')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nTimes are estimates by the sizes of the tables. Exit code 4 when a migration breaks a rule of docs/schema-changes.md.\n\nExamples:\n  petstore db plan\n  petstore db plan --json',
    )
    .action(async ({ json }: { json?: true }) => {
      const plan = await cli.withDatabase(async (dataSource) => {
        try {
          return await planMigrations(dataSource);
        } catch (error) {
          throw error instanceof CannotPlanError ? new CommandError(error.message) : error;
        }
      });
      if (json) cli.output.json(plan);
      else {
        cli.output.table({
          header: ['MIGRATION', 'STATEMENT', 'TABLE', 'ROWS', 'LOCK', 'HELD', 'SERVED'],
          rows: rowsOf(plan),
          whole: ['TABLE', 'LOCK', 'HELD', 'SERVED'],
        });
      }
      for (const note of notesOn(plan)) cli.output.message(note);
      if (plan.findings.length > 0) throw new RefusedError(describeFindings(plan).join('\n'));
      const { length } = plan.migrations;
      const location = describeLocation(cli.loadSettings().databaseUrl);
      cli.output.message(
        length === 0
          ? `The database ${location} lacks no migration.`
          : `${length} migration${length === 1 ? ' is' : 's are'} pending in the database ${location}, and break${length === 1 ? 's' : ''} no rule.`,
      );
    });
}

/** A row for each statement, or for each table that it locks. */
function rowsOf({ engine, migrations }: MigrationPlan): string[][] {
  return migrations.flatMap(({ name, statements }) =>
    statements.flatMap(({ sql, locks, heldSeconds }) => {
      const statement = [name, sql.trim().replaceAll(/\s+/g, ' ')];
      const held = duration(heldSeconds);
      if (engine === 'sqlite') return [[...statement, 'all', '-', 'write lock', held, 'reads']];
      if (locks.length === 0) return [[...statement, '-', '-', '-', '-', 'all']];
      return locks.map(({ table, rows, lock, served }) => [
        ...statement,
        table,
        rows.toLocaleString('en'),
        lock,
        held,
        served,
      ]);
    }),
  );
}

function duration(seconds: number): string {
  if (seconds < 1) return 'under 1 s';
  return seconds < 120 ? `about ${Math.round(seconds)} s` : `about ${Math.round(seconds / 60)} min`;
}

function notesOn({ engine, migrations, serving }: MigrationPlan): string[] {
  const reading = migrations.filter(({ readsRows }) => readsRows).map(({ name }) => name);
  return [
    ...(reading.length > 0
      ? [
          `${reading.join(', ')} may do more than the plan shows: it is made without rows, and these read some.`,
        ]
      : []),
    ...(engine === 'postgres' && migrations.length > 0
      ? [
          serving.length > 0
            ? `Versions that serve: ${serving.join(', ')}.`
            : 'No process serves on this database.',
        ]
      : []),
  ];
}
