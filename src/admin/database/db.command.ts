import type { Command } from 'commander';
import { petstore } from '../../platform/config/called-as';
import { type Cli, type DatabaseUse, JSON_OPTION } from '../../platform/cli/cli';
import { CommandError, RefusedError, UsageError } from '../../platform/cli/command-error';
import { interruptible } from '../../platform/cli/interruption';
import { readCount } from '../../platform/cli/option-values';
import { backup, backUpRepeatedly } from './backup';
import { inspectDatabase } from './inspect-database';
import { describeLocation, parseDatabaseUrl } from '../../platform/database/driver/database-url';
import { migrate, revert } from '../../platform/database/schema/migrate';
import {
  findMigrationProblems,
  type MigrationProblem,
} from '../../platform/database/schema/migration-problems';
import { readSchemaState, type SchemaState } from '../../platform/database/schema/schema-state';
import { skipIds } from './skip-ids';

interface BackupOptions {
  readonly every?: number;
  readonly keep: number;
  readonly json?: true;
}

/** Access of commands that only read the database. */
const READING: DatabaseUse = { changesNothing: true };

/** `petstore db`: migrates, checks and backs up the database. */
export function addDatabaseCommands(program: Command, cli: Cli): void {
  const db = program
    .command('db')
    .description('migrate, check and back up the database')
    .addHelpText('after', `\nExamples:\n  ${petstore()} db status\n  ${petstore()} db migrate`);

  addMigrateCommand(db, cli);
  addStatusCommand(db, cli);
  addCheckCommand(db, cli);
  addBackupCommand(db, cli);
  addAfterRestoreCommand(db, cli);
  addRevertCommand(db, cli);
}

function addMigrateCommand(db: Command, cli: Cli): void {
  db.command('migrate')
    .description('apply every pending migration')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nPrints the name of each migration when the migration begins. Exit code 1 when a migration fails or does not get its locks.\n\nExamples:\n  ${petstore()} db migrate\n  ${petstore()} db migrate --json`,
    )
    .action(async ({ json }: { json?: true }) => {
      const observer = {
        applying: (name: string) => cli.output.message(`Applying ${name}.`),
        waiting: (message: string) => cli.output.message(message),
      };
      const applied = await cli.withDatabase((dataSource) => migrate(dataSource, observer), {
        mayCreate: true,
      });
      if (json) cli.output.json({ applied });
      else cli.output.table({ header: ['APPLIED'], rows: applied.map((name) => [name]) });
      cli.output.message(
        applied.length === 0
          ? `The database ${locationOf(cli)} is up to date.`
          : `${applied.length} migration${applied.length === 1 ? ' was' : 's were'} applied to the database ${locationOf(cli)}.`,
      );
    });
}

function addStatusCommand(db: Command, cli: Cli): void {
  db.command('status')
    .description('list the migrations: applied, pending, or unknown to this version')
    .option('--check', 'exit code 4 when migrations are pending')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nExit code 1 when rows keep a pending migration from being applied.\n\nExamples:\n  ${petstore()} db status\n  ${petstore()} db status --check\n  ${petstore()} db status --json`,
    )
    .action(async ({ check, json }: { check?: true; json?: true }) => {
      const { state, problems } = await cli.withDatabase(async (dataSource) => {
        const found = await readSchemaState(dataSource);
        return { state: found, problems: await findMigrationProblems(dataSource, found.pending) };
      }, READING);
      const migrations = describe(state, problems);
      if (json) cli.output.json({ isCurrent: state.pending.length === 0, migrations });
      else {
        cli.output.table({
          header: ['MIGRATION', 'STATUS'],
          rows: migrations.map(({ name, status }) => [name, status]),
        });
      }
      if (problems.size > 0)
        throw new CommandError([...problems.values()].map(({ problem }) => problem).join('\n'));
      const isBehind = state.pending.length > 0;
      const found = isBehind
        ? `The database ${locationOf(cli)} lacks migrations: run "${petstore()} db migrate".`
        : `The database ${locationOf(cli)} has every migration of this version.`;
      if (check && isBehind) throw new RefusedError(found);
      cli.output.message(found);
    });
}

function addCheckCommand(db: Command, cli: Cli): void {
  db.command('check')
    .description('check that the database is intact and fits this version; changes nothing')
    .option('--quick', 'skip the checks that read every row of every index')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nCan run while the service runs. Exit code 1 when something is wrong.\n\nExamples:\n  ${petstore()} db check\n  ${petstore()} db check --quick --json`,
    )
    .action(async ({ quick, json }: { quick?: true; json?: true }) => {
      const checks = await cli.withDatabase(
        (dataSource) =>
          inspectDatabase({
            settings: cli.loadSettings(),
            isDeep: !quick,
            database: () => Promise.resolve(dataSource),
          }),
        READING,
      );
      const isSound = checks.every(({ status }) => status !== 'failed');
      if (json) cli.output.json({ status: isSound ? 'ok' : 'failed', checks });
      else {
        cli.output.table({
          header: ['CHECK', 'STATUS', 'FOUND'],
          rows: checks.flatMap(({ name, status, found, problems }) =>
            problems.length > 0
              ? problems.map((problem) => [name, status, problem])
              : [[name, status, found]],
          ),
          whole: ['FOUND'],
          wrapped: 'FOUND',
        });
      }
      if (!isSound) throw new CommandError(`The database ${locationOf(cli)} has faults.`);
      cli.output.message(`The database ${locationOf(cli)} is intact.`);
    });
}

function addBackupCommand(db: Command, cli: Cli): void {
  db.command('backup')
    .description('copy the database into a new file; the service may be running')
    .argument('<path>', 'new file to write; with --every the folder for the files')
    .option('--every <minutes>', 'make a backup every so many minutes, until stopped', readCount)
    .option('--keep <number>', 'with --every: number of newest files to keep', readCount, 96)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nOn PostgreSQL, pg_dump and pg_restore must be installed, in the version of the server or newer.\n\nExamples:\n  ${petstore()} db backup backups/2026-01-31.sqlite\n  ${petstore()} db backup backups --every 15 --keep 96`,
    )
    .action(async (path: string, { every, keep, json }: BackupOptions) => {
      const backUp = async (file: string, signal?: AbortSignal) => {
        await cli.withDatabase((dataSource) => backup(dataSource, file, signal));
        if (json) cli.output.json({ file });
        cli.output.message(`The database ${locationOf(cli)} was backed up to ${file}.`);
      };
      if (every === undefined) return interruptible((signal) => backUp(path, signal));
      const { engine } = parseDatabaseUrl(cli.loadSettings().databaseUrl);
      const warn = (message: string) => cli.output.message(message);
      const plan = { folder: path, engine, everyMs: every * 60_000, keep, warn };
      await interruptible((signal) => backUpRepeatedly({ ...plan, signal }, (file) => backUp(file)));
    });
}

function addAfterRestoreCommand(db: Command, cli: Cli): void {
  db.command('after-restore')
    .description('skip ids, so that no new row gets an id that clients know from before the restore')
    .requiredOption(
      '--skip-ids <number>',
      'number of ids to skip: more than the rows that any table has gained since the backup',
      readCount,
    )
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nRun this command before the service starts on the restored database. Each run skips ids again.\n\nExamples:\n  ${petstore()} db after-restore --skip-ids 100000\n  ${petstore()} db after-restore --skip-ids 100000 --json`,
    )
    .action(async ({ skipIds: count, json }: { skipIds: number; json?: true }) => {
      const skipped = await cli.withDatabase((dataSource) => skipIds(dataSource, count));
      if (json) cli.output.json(skipped);
      else {
        cli.output.table({
          header: ['TABLE', 'NEXT ID'],
          rows: skipped.map(({ table, nextId }) => [table, String(nextId)]),
        });
      }
      cli.output.message(`New rows of the database ${locationOf(cli)} skip ${count} ids.`);
    });
}

function addRevertCommand(db: Command, cli: Cli): void {
  db.command('revert')
    .description('revert the newest migration; the data of its tables is lost')
    .option('--yes', 'do not ask for confirmation; needed without a terminal')
    .option(...JSON_OPTION)
    .addHelpText('after', `\nExamples:\n  ${petstore()} db revert\n  ${petstore()} db revert --yes --json`)
    .action(async ({ yes, json }: { yes?: true; json?: true }) => {
      if (!yes && !cli.output.canAsk) {
        throw new UsageError('Reverting a migration destroys data. Confirm with --yes.');
      }
      const reverted = await cli.withDatabase(async (dataSource) => {
        const newest = (await readSchemaState(dataSource)).applied.at(-1);
        if (newest === undefined) return null;
        if (!yes && !(await cli.output.confirm(`Revert ${newest}, and lose the data of its tables?`))) {
          throw new RefusedError('Nothing was changed.');
        }
        return (await revert(dataSource)) ?? null;
      });
      if (json) cli.output.json({ reverted });
      else cli.output.table({ header: ['REVERTED'], rows: reverted === null ? [] : [[reverted]] });
      cli.output.message(
        reverted === null
          ? `The database ${locationOf(cli)} has no migration to revert.`
          : `The migration was reverted in the database ${locationOf(cli)}.`,
      );
    });
}

function describe(
  { applied, pending, unknown }: SchemaState,
  problems: ReadonlyMap<string, MigrationProblem>,
) {
  return [
    ...applied.map((name) => ({ name, status: unknown.includes(name) ? 'unknown' : 'applied' })),
    ...pending.map((name) => ({ name, status: 'pending', problem: problems.get(name)?.problem })),
  ];
}

function locationOf(cli: Cli): string {
  return cli.output.naming(describeLocation(cli.loadSettings().databaseUrl));
}
