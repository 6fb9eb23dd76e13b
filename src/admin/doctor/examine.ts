import pTimeout from 'p-timeout';
import type { Cli } from '../../platform/cli/cli';
import type { FeatureSettings } from '../../platform/config/setting';
import type { Settings } from '../../platform/config/settings';
import { MissingDatabaseError } from '../../platform/database/driver/missing-database';
import { DatabaseOpenError } from '../../platform/database/driver/open';
import { type DoctorCheck, fail, type Finding, type OpenDatabase, type DoctorContext, warn } from './check';
import { CLOCK } from './clock.check';
import { DATABASE } from './database.check';
import { DISK } from './disk.check';
import { integrityCheck } from './integrity.check';
import { KEYS_CHECK } from './keys.check';
import { MIGRATIONS } from './migrations.check';
import { OPEN_FILES } from './open-files.check';
import { REDIS, REPLICAS, TRACES, WORKERS } from './other-servers.check';
import { MANAGEMENT_PORT, PORT } from './ports.check';
import { READ_ONLY } from './read-only.check';
import { RESTORE } from './restore.check';
import { faultsOfSettings, SETTINGS_CHECK } from './settings.check';
import { VERSIONS } from './versions.check';

/** A line of the report. The members are stable: scripts read them. */
export interface ReportLine {
  readonly name: string;
  readonly status: Finding['status'];
  readonly found: string;
  /** Null if there is nothing to do. */
  readonly advice: string | null;
}

/** A line of the report, with the commands that its advice proposes. */
export interface ExaminedLine {
  readonly line: ReportLine;
  readonly commands: readonly string[];
}

/** Time limit for closing the connection to the database, in milliseconds. */
const CLOSE_LIMIT_MS = 1_000;
/** Time limit for a statement on it, even if requests may take longer, in milliseconds. */
const LONGEST_STATEMENT_MS = 5_000;

/** The checks, ordered so that one explains the next. */
function checksOf(isDeep: boolean): DoctorCheck[] {
  return [
    VERSIONS,
    SETTINGS_CHECK,
    DATABASE,
    MIGRATIONS,
    integrityCheck(isDeep),
    DISK,
    CLOCK,
    PORT,
    MANAGEMENT_PORT,
    KEYS_CHECK,
    READ_ONLY,
    RESTORE,
    REDIS,
    REPLICAS,
    WORKERS,
    TRACES,
    OPEN_FILES,
  ];
}

/** The names of the checks, in order. */
export const CHECK_NAMES = checksOf(false).map(({ name }) => name);

/**
 * Examines the service, one check after the other: on a busy machine concurrent checks would measure each other.
 *
 * @param features settings that features declare
 * @returns each line as it is found
 */
export async function* examine(
  cli: Cli,
  isDeep: boolean,
  features: readonly FeatureSettings[],
): AsyncGenerator<ExaminedLine> {
  let settings: Settings;
  try {
    settings = cli.loadSettings(features);
  } catch (error) {
    yield* linesOf(VERSIONS.name, await outcomeOf(VERSIONS, {} as DoctorContext));
    yield* linesOf(SETTINGS_CHECK.name, faultsOfSettings(error));
    return;
  }
  const shared = new SharedDatabase(cli, settings);
  const context: DoctorContext = { cli, settings, isDeep, database: () => shared.open() };
  try {
    for (const check of checksOf(isDeep)) {
      yield* linesOf(check.name, await outcomeOf(check, context));
    }
  } finally {
    await shared.close();
  }
}

function linesOf(name: string, findings: readonly Finding[]): ExaminedLine[] {
  return findings.map(({ status, found, advice = null, commands = [] }) => ({
    line: { name, status, found, advice },
    commands,
  }));
}

/** Runs a check within its time limit; turns an error into a finding. */
async function outcomeOf(check: DoctorCheck, context: DoctorContext): Promise<readonly Finding[]> {
  const limit = `The check took longer than ${check.limitMs / 1_000} s.`;
  try {
    return await pTimeout(
      Promise.try(() => check.run(context)),
      {
        milliseconds: check.limitMs,
        fallback: () => [fail(limit, 'Look at the other lines, and at the load of the machine.')],
      },
    );
  } catch (error) {
    return error instanceof DatabaseOpenError || error instanceof MissingDatabaseError
      ? [warn('Not checked, because the database cannot be used.', 'See the line database.')]
      : [fail((error as Error).message, 'See the lines above.')];
  }
}

/** The connection that all checks share, opened when the first one needs it, with time limits of its own. */
class SharedDatabase {
  private opening: Promise<OpenDatabase> | undefined;

  constructor(
    private readonly cli: Cli,
    private readonly settings: Settings,
  ) {}

  open(): Promise<OpenDatabase> {
    this.opening ??= this.openNow();
    return this.opening;
  }

  async close(): Promise<void> {
    const closed = this.opening?.then((dataSource) => dataSource.destroy()).catch(() => undefined);
    if (closed) await pTimeout(closed, { milliseconds: CLOSE_LIMIT_MS, message: false });
  }

  private async openNow(): Promise<OpenDatabase> {
    const { databaseStatementTimeoutMs } = this.settings;
    return this.cli.openDatabase({
      ...this.settings,
      databaseStatementTimeoutMs: Math.min(databaseStatementTimeoutMs, LONGEST_STATEMENT_MS),
    });
  }
}
