import type { Command } from 'commander';
import { DataSource } from 'typeorm';
import { petstore } from '../../platform/config/called-as';
import { ApiKeysService } from '../../auth/api-keys.service';
import { type Cli, type CommandContext, JSON_OPTION } from '../../platform/cli/cli';
import { CommandError, UsageError } from '../../platform/cli/command-error';
import { interruptible } from '../../platform/cli/interruption';
import type { Settings } from '../../platform/config/settings';
import { engineOf } from '../../platform/database/column-types';
import { describeLocation } from '../../platform/database/driver/database-url';
import { newestBackup } from '../../platform/database/monitoring/newest-backup';
import { type DrillFindings, examined, failed } from './drill';
import { DrillLog } from './drill-log.service';
import { UnreadableDumpError } from './postgres-dump';
import { UnfitBackupError, withRestored } from './scratch';

/** Long enough to count and check the largest table, in milliseconds. */
const STATEMENT_TIMEOUT_MS = 24 * 60 * 60 * 1_000;

/** `petstore db drill`: restores a backup aside, and tells whether it could be served. */
export function addDrillCommand(program: Command, cli: Cli): void {
  const db = program.commands.find((command) => command.name() === 'db');
  db?.command('drill')
    .description('restore a backup aside, check it and count its rows; the service may be running')
    .argument('[backup]', 'file to restore; the newest in BACKUP_PATH unless given')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nThe backup is restored beside the SQLite file, or into a database that the command makes on the server and drops. Exit code 1 when the backup has faults. The audit log keeps the result.\n\nExamples:\n  ${petstore()} db drill\n  ${petstore()} db drill petstore-backup.sqlite --json`,
    )
    .action(async (given: string | undefined, { json }: { json?: true }) => {
      const settings = { ...cli.loadSettings(), databaseStatementTimeoutMs: STATEMENT_TIMEOUT_MS };
      await cli.withApp((app) => drill(cli, app, settings, given, json === true), {
        databaseStatementTimeoutMs: STATEMENT_TIMEOUT_MS,
      });
    });
}

async function drill(
  cli: Cli,
  app: CommandContext,
  settings: Settings,
  given: string | undefined,
  isJson: boolean,
): Promise<void> {
  const served = app.get(DataSource);
  const backup = given ?? (await newestOf(settings, served));
  const location = describeLocation(settings.databaseUrl);
  const open = async (databaseUrl: string) => {
    const opened = await cli.openDatabase({ ...settings, databaseUrl });
    // The database that the person asked about is the served one.
    cli.output.worksOn(location);
    return opened;
  };
  const keys = app.get(ApiKeysService, { strict: false });
  const began = performance.now();
  const task = { backup, databaseUrl: settings.databaseUrl, served, open };
  const findings = await interruptible((signal) =>
    withRestored({ ...task, signal }, (restored) => examined(restored, settings, keys)).catch(faultOf),
  );
  await app.get(DrillLog, { strict: false }).record(backup, findings);
  const newest = findings.tables.flatMap(({ newestAt }) => newestAt ?? []).toSorted((a, b) => +b - +a)[0];
  if (isJson) cli.output.json({ backup, newestAt: newest ?? null, ...findings });
  else show(cli, findings);
  if (findings.problems.length > 0) {
    throw new CommandError(`The backup ${backup} cannot be served: ${findings.problems.join(' ')}`);
  }
  const seconds = Math.ceil((performance.now() - began) / 1_000);
  const age = newest === undefined ? '' : ` Its newest row is of ${newest.toISOString()}.`;
  cli.output.message(`The backup ${backup} was restored aside within ${seconds} s and is sound.${age}`);
}

/** Returns the findings of an error that the backup is at fault for. @throws any other: the drill refuses, or cannot be done here */
function faultOf(error: unknown): DrillFindings {
  if (error instanceof UnfitBackupError || error instanceof UnreadableDumpError)
    return failed([error.message]);
  throw error;
}

async function newestOf({ backupPath }: Settings, served: DataSource): Promise<string> {
  if (backupPath === undefined) {
    throw new UsageError('Name a backup, or let BACKUP_PATH name the folder of the backups.');
  }
  const newest = await newestBackup(backupPath, engineOf(served)).catch((error: unknown) => {
    throw new CommandError({
      message: `The folder ${backupPath} of BACKUP_PATH cannot be read: name a backup.`,
      cause: error,
    });
  });
  if (!newest) throw new CommandError(`There is no backup in ${backupPath}.`);
  return newest.path;
}

function show(cli: Cli, { tables }: DrillFindings): void {
  cli.output.table({
    header: ['TABLE', 'ROWS', 'NEWEST'],
    rows: tables.map(({ table, rows, newestAt }) => [table, String(rows), newestAt?.toISOString() ?? '']),
  });
}
