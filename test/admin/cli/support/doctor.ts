import { freePort } from '../../../support/processes/free-port';
import type { CliRunner } from '../../../cli/support/cli-runner';

/** A line of the report. */
export interface Line {
  name: string;
  status: 'ok' | 'warn' | 'fail';
  found: string;
  advice: string | null;
}

/** What `doctor --json` prints. */
export interface Report {
  status: 'ok' | 'warn' | 'fail';
  version: string;
  checkedAt: string;
  checks: Line[];
}

/** Runs `doctor --json`. */
export async function doctor(cli: CliRunner, ...options: string[]) {
  const { code, stdout, stderr } = await cli.run('doctor', '--json', ...options);
  const report = JSON.parse(stdout) as Report;
  const of = (name: string) => report.checks.filter((line) => line.name === name);
  const say = (name: string) =>
    of(name)
      .map(({ status, found }) => `${status} ${found}`)
      .join('\n');
  return { code, stdout, stderr, report, of, say };
}

/** Settings with free ports, so that the tests do not meet what else runs on the machine. */
export async function freePorts() {
  const [port, managementPort] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')];
  return { PORT: String(port), MANAGEMENT_PORT: String(managementPort) };
}
