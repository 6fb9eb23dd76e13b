import { Writable } from 'node:stream';
import { commandGroups, createCli } from '../../../src/create-cli';
import type { CommandGroup } from '../../../src/platform/cli/cli';
import { Output } from '../../../src/platform/cli/output';
import { runProgram } from '../../../src/platform/cli/program';
import type { CommandResult } from '../../support/processes/command';
import { CLI_ENTRY, CliProcess } from './cli-process';
import { CliRunner } from './cli-runner';

/** With a database that a test has made, for a busy machine may take seconds for a connection or a statement. */
const PATIENT = { DATABASE_STATEMENT_TIMEOUT_MS: '60000' };

/**
 * The CLI within the process of the test, one command after the other: most of what a command takes as a process of its own
 * is the loading of packages, half a second each time. Terminals, standard input, signals, commands beside each other, and
 * servers that hang want processes.
 */
export class CliInProcess extends CliRunner {
  private static isBusy = false;

  /** Commands that it has besides those of the project. */
  commands: readonly CommandGroup[] = [];

  /** Width of the terminal that its standard output seems to be; unset for a pipe. */
  columns: number | undefined;

  /** The same CLI as processes. */
  readonly process = new CliProcess(this.environment, this.folder);

  override with(environment: Readonly<Record<string, string>>): CliInProcess {
    return new CliInProcess({ ...this.environment, ...environment }, this.folder);
  }

  override async run(...args: string[]): Promise<CommandResult> {
    const [stdout, stderr] = [new Written(this.columns), new Written()];
    return this.asSurroundings(args, async () => {
      const output = new Output(stdout.asStream(), stderr.asStream());
      const groups = [...(await commandGroups(args)), ...this.commands];
      const code = await runProgram(groups, createCli(output), args);
      return { code, stdout: stdout.text, stderr: stderr.text };
    });
  }

  /** Gives the process this environment, folder and command line while something runs in it. */
  private async asSurroundings<T>(args: readonly string[], work: () => Promise<T>): Promise<T> {
    const [environment, folder, argv] = [process.env, process.cwd(), process.argv];
    if (CliInProcess.isBusy) throw new Error('A command runs in this process already.');
    CliInProcess.isBusy = true;
    process.env = {
      PATH: environment.PATH,
      ...('DATABASE_URL' in this.environment && PATIENT),
      ...this.environment,
    };
    process.argv = [process.execPath, CLI_ENTRY, ...args];
    process.chdir(this.folder);
    try {
      return await work();
    } finally {
      process.env = environment;
      process.argv = argv;
      process.chdir(folder);
      CliInProcess.isBusy = false;
    }
  }
}

/** A pipe, or a terminal of a width, to whose other end everything goes at once. */
class Written extends Writable {
  readonly isTTY = this.columns !== undefined;
  private readonly chunks: Buffer[] = [];

  constructor(readonly columns?: number) {
    super();
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString();
  }

  /** As a process would have it. */
  asStream(): NodeJS.WriteStream {
    return this as unknown as NodeJS.WriteStream;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(chunk);
    done();
  }
}
