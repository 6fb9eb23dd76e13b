import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { CommandResult } from '../../../../test/support/processes/command.ts';

/** What the process is told to do. */
export interface Request {
  /** The file of its command line. */
  readonly program: string;
  readonly folder: string;
  readonly args: readonly string[];
  /** Another one for each time. */
  readonly number: number;
}

/**
 * Runs the generator in one process for all tests of a file, one time after the other: most of what it takes as a process of
 * its own is the loading of the compiler.
 */
export class Generator {
  private process: ChildProcess | undefined;
  private runs = 0;

  async run(program: string, folder: string, args: readonly string[]): Promise<CommandResult> {
    this.process ??= fork(join(__dirname, 'generator-process.mts'), {
      env: { PATH: process.env.PATH },
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    const request: Request = { program, folder, args, number: ++this.runs };
    this.process.send(request);
    const [result] = (await once(this.process, 'message')) as [CommandResult];
    return result;
  }

  end(): void {
    this.process?.disconnect();
    this.process = undefined;
  }
}
