import type { CheckContext } from '../../platform/cli/cli';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { petstore } from '../../platform/config/called-as';
import { commandLineEnvironment } from '../../platform/config/command-line-environment';
import type { Inspection } from './inspection';
import { type Check, degraded, failed, type Finding, ok } from '../../platform/health/check';
import { sqliteFile } from './database.check';

const QUICK_LIMIT_MS = 15_000;
const DEEP_LIMIT_MS = 3_600_000;

/** The rejection of execFile. */
interface Failure extends Error {
  readonly killed?: boolean;
  readonly stdout?: string;
  readonly stderr?: string;
}

/**
 * Runs `petstore db check` in a process of its own: SQLite checks its file in one call, which nothing in the same process can
 * interrupt.
 *
 * @param quickMs time for the checks that do not read every row
 */
export function integrityCheck(quickMs = QUICK_LIMIT_MS): Check<CheckContext> {
  return {
    name: 'integrity',
    needs: 'database',
    async check({ settings: { databaseUrl }, isDeep, database }) {
      await database();
      if (databaseUrl.startsWith('sqlite:') && sqliteFile(databaseUrl) === undefined) return [];
      const limitMs = isDeep ? DEEP_LIMIT_MS : quickMs;
      const inspections = await inspect(isDeep, limitMs);
      if (inspections === undefined) {
        return degraded(
          `The database is too large to be checked in ${limitMs / 1_000} s.`,
          `Run "${petstore()} db check" when there is time; the service can run meanwhile.`,
          `${petstore()} db check`,
        );
      }
      // Migrations have a line of their own in the report.
      return findingsOf(inspections.filter(({ name }) => name !== 'migrations'));
    },
  };
}

/** @returns undefined if the time was not enough */
async function inspect(isDeep: boolean, limitMs: number): Promise<Inspection[] | undefined> {
  const [entry = ''] = process.argv.slice(1);
  const args = [entry, 'db', 'check', '--json', ...(isDeep ? [] : ['--quick'])];
  const running = promisify(execFile)(process.execPath, args, {
    env: commandLineEnvironment().variables,
    timeout: limitMs,
    killSignal: 'SIGKILL',
    maxBuffer: Infinity,
  });
  const { stdout } = await running.catch((error: unknown) => {
    const { killed, stdout: printed = '', stderr, message } = error as Failure;
    if (killed) return { stdout: '' };
    // Exit code 1 with a report means that a check failed.
    if (printed === '') throw new Error(stderr?.trim() ?? message);
    return { stdout: printed };
  });
  return stdout === '' ? undefined : (JSON.parse(stdout) as { checks: Inspection[] }).checks;
}

function findingsOf(inspections: readonly Inspection[]): Finding[] {
  const faulty = inspections.filter(({ status }) => status === 'failed');
  if (faulty.length === 0) {
    const looked = inspections.filter(({ status }) => status === 'ok').map(({ found }) => found);
    return [ok(looked.join(' '))];
  }
  return faulty.map(({ name, problems: [first = '', ...others] }) =>
    failed(
      `${name}: ${first}${others.length > 0 ? ` And ${others.length} more.` : ''}`,
      name === 'integrity'
        ? 'Stop the service, keep the file, and restore the last backup.'
        : `Run "${petstore()} db check" for all faults.`,
      ...(name === 'integrity' ? [] : [`${petstore()} db check`]),
    ),
  );
}
