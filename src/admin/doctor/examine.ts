import pTimeout from 'p-timeout';
import type { CheckContext, Cli } from '../../platform/cli/cli';
import { faultsOfSettings } from '../../platform/config/settings.check';
import type { FeatureSettings } from '../../platform/config/setting';
import type { Settings } from '../../platform/config/settings';
import { MissingDatabaseError } from '../../platform/database/driver/missing-database';
import { describeLocation } from '../../platform/database/driver/database-url';
import { DatabaseOpenError } from '../../platform/database/driver/open';
import { type Check, failed, type Finding, listOf, skipped } from '../../platform/health/check';
import { CHECKS } from './checks';
import { BehindError, SharedService } from './shared-service';

/** A line of the report. The members are stable: scripts read them. */
export interface ReportLine {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** Null if there is nothing to do. */
  readonly advice: string | null;
}

/** A line of the report, with the commands that its advice proposes. */
export interface ExaminedLine {
  readonly line: ReportLine;
  readonly commands: readonly string[];
}

/**
 * Examines the service: the database first, whose response time others would change, then all else side by side.
 *
 * @param features settings that features declare
 * @returns each line once it is found and those above it are
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
    for (const check of CHECKS) {
      if (check.name === 'settings') yield* linesOf(check.name, faultsOfSettings(error));
      else if (check.needs === 'nothing') yield* linesOf(check.name, await findingsOf(check, NOTHING));
    }
    return;
  }
  // The check of the database names it.
  cli.output.naming(describeLocation(settings.databaseUrl));
  const shared = new SharedService(cli, settings);
  const context: CheckContext = {
    settings,
    isDeep,
    database: () => shared.database(),
    service: () => shared.service(),
  };
  try {
    const first = CHECKS.findIndex(({ name }) => name === 'database') + 1;
    for (const check of CHECKS.slice(0, first)) yield* linesOf(check.name, await findingsOf(check, context));
    for (const { check, findings } of begin(CHECKS.slice(first), context)) {
      yield* linesOf(check.name, await findings);
    }
  } finally {
    await shared.close();
  }
}

/**
 * Begins checks side by side. Those of the service come last: to load its modules holds up the process, which would use up the
 * time of checks that have a limit.
 */
export function begin(checks: readonly Check<CheckContext>[], context: CheckContext) {
  const isLast = ({ needs }: Check<CheckContext>) => needs === 'service';
  const early = new Map(
    checks.filter((check) => !isLast(check)).map((check) => [check, findingsOf(check, context)]),
  );
  const timed = Promise.all(
    checks.flatMap((check) => (check.limitMs === undefined ? [] : (early.get(check) ?? []))),
  );
  return checks.map((check) => ({
    check,
    findings: early.get(check) ?? timed.then(() => findingsOf(check, context)),
  }));
}

/** What checks that need nothing are called with. */
const NOTHING = {} as CheckContext;

/** The lines of a check; whatever asks for a deed is a warning at least. */
export function linesOf(name: string, findings: readonly Finding[]): ExaminedLine[] {
  return findings.map(({ status, reason = '', advice = null, commands = [] }) => {
    const isWell = status === 'ok' && advice === null;
    return {
      line: { name, status: status === 'failed' ? 'fail' : isWell ? 'ok' : 'warn', found: reason, advice },
      commands,
    };
  });
}

/** Makes a check within its time limit; turns an error into a finding. */
async function findingsOf(check: Check<CheckContext>, context: CheckContext): Promise<readonly Finding[]> {
  const { limitMs = Infinity } = check;
  try {
    return await pTimeout(
      Promise.try(async () => listOf(await check.check(context))),
      {
        milliseconds: limitMs,
        fallback: () => [
          failed(
            `The check took longer than ${limitMs / 1_000} s.`,
            'Look at the other lines, and at the load of the machine.',
          ),
        ],
      },
    );
  } catch (error) {
    if (error instanceof BehindError) return [skipped(error.message, 'See the line migrations.')];
    return error instanceof DatabaseOpenError || error instanceof MissingDatabaseError
      ? [skipped('Not checked, because the database cannot be used.', 'See the line database.')]
      : [failed((error as Error).message, 'See the lines above.')];
  }
}
