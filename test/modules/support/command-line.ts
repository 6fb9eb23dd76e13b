import type { CommandResult } from '../../support/processes/command';
import type { ProjectCopy } from './project-copy';

/** The command line of a built copy of the project, on one database. */
export class CommandLine {
  constructor(
    private readonly copy: ProjectCopy,
    private readonly environment: Readonly<Record<string, string>>,
  ) {}

  /** @param words as a shell reads them */
  run(words: string): Promise<CommandResult> {
    return this.copy.run(`node dist/src/cli.js ${words}`, this.environment);
  }

  /** Runs a command that must succeed, and reads the JSON it gives. */
  async json<T>(words: string): Promise<T> {
    return JSON.parse(await this.copy.succeed(`node dist/src/cli.js ${words} --json`, this.environment)) as T;
  }
}
