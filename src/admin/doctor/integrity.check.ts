import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { petstore } from '../../platform/config/called-as';
import { commandLineEnvironment } from '../../platform/config/command-line-environment';
import type { Inspection } from '../database/inspection';
import { type DoctorCheck, fail, type Finding, ok, warn } from './check';
import { sqliteFile } from './database.check';

const QUICK_LIMIT_MS = 15_000;
const DEEP_LIMIT_MS = 3_600_000;
/** Time that the check has beyond the limit of its process, in milliseconds. */
const GRACE_MS = 1_000;

/** The rejection of execFile. */
interface Failure extends Error {
  readonly killed?: boolean;
  readonly stdout?: string;
  readonly stderr?: string;
}

/**
 * Runs `petstore db check` in a process of its own: SQLite checks its file in one call, which nothing in the same process can
 * interrupt.
 */
export function integrityCheck(
  isDeep: boolean,
  limitMs = isDeep ? DEEP_LIMIT_MS : QUICK_LIMIT_MS,
): DoctorCheck {
  return {
    name: 'integrity',
    limitMs: limitMs + GRACE_MS,
    async run(context) {
      const { databaseUrl } = context.settings;
      await context.database();
      if (databaseUrl.startsWith('sqlite:') && sqliteFile(databaseUrl) === undefined) return [];
      const inspections = await inspect(isDeep, limitMs);
      if (inspections === undefined) {
        return [
          warn(
            `The database is too large to be checked in ${limitMs / 1_000} s.`,
            `Run "${petstore()} db check" when there is time; the service can run meanwhile.`,
            `${petstore()} db check`,
          ),
        ];
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
  const failed = inspections.filter(({ status }) => status === 'failed');
  if (failed.length === 0) {
    const looked = inspections.filter(({ status }) => status === 'ok').map(({ found }) => found);
    return [ok(looked.join(' '))];
  }
  return failed.map(({ name, problems: [first = '', ...others] }) =>
    fail(
      `${name}: ${first}${others.length > 0 ? ` And ${others.length} more.` : ''}`,
      name === 'integrity'
        ? 'Stop the service, keep the file, and restore the last backup.'
        : `Run "${petstore()} db check" for all faults.`,
      ...(name === 'integrity' ? [] : [`${petstore()} db check`]),
    ),
  );
}
