import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { type CommandResult, resultOf } from '../../support/processes/command';
import { LONGEST_WAIT_MS } from '../../support/until';
import { CliRunner } from './cli-runner';

/** The built entry of the CLI; `npm test` builds it first. */
export const CLI_ENTRY = join(__dirname, '..', '..', '..', 'dist', 'src', 'cli.js');

/** The CLI as processes of their own, as people and scripts start it. */
export class CliProcess extends CliRunner {
  override with(environment: Readonly<Record<string, string>>): CliProcess {
    return new CliProcess({ ...this.environment, ...environment }, this.folder);
  }

  override run(...args: string[]): Promise<CommandResult> {
    return resultOf(this.start(...args));
  }

  /** Starts a command without a terminal and without input. */
  start(...args: string[]): ChildProcessByStdio<null, Readable, Readable> {
    return spawn(process.execPath, [CLI_ENTRY, ...args], {
      ...this.options(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Starts a command whose standard input is a text. */
  startWithInput(input: string, ...args: string[]): ChildProcessByStdio<Writable, Readable, Readable> {
    const child = spawn(process.execPath, [CLI_ENTRY, ...args], {
      ...this.options(),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.end(input);
    return child;
  }

  /**
   * Runs a command on a pseudo-terminal, which is its input, output and standard error.
   *
   * @param typed what the person types
   * @param columns how wide it is; unknown to the command unless given
   * @returns what the terminal shows, as stdout
   */
  async runOnTerminal(args: readonly string[], typed = '', columns?: number): Promise<CommandResult> {
    const petstore = [process.execPath, CLI_ENTRY, ...args].map((word) => `'${word}'`).join(' ');
    const command = columns === undefined ? petstore : `stty cols ${columns} && ${petstore}`;
    const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      ...this.options({ TERM: 'xterm' }),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.write(typed);
    const result = await resultOf(child);
    // Not before the end: with its input `script` would end the terminal.
    child.stdin.destroy();
    return result;
  }

  private options(surroundings: Readonly<Record<string, string>> = {}) {
    return {
      cwd: this.folder,
      env: { PATH: process.env.PATH, ...surroundings, ...this.environment },
      // A command that hangs does not outlive its test.
      timeout: LONGEST_WAIT_MS,
      killSignal: 'SIGKILL' as const,
    };
  }
}
