import type { CommandResult } from '../../support/processes/command';
import { makeFolder } from '../../support/folders';

/** The CLI with an environment of its own: nothing of the developer's settings reaches it. */
export abstract class CliRunner {
  /** @param folder where it runs: an empty one, without `.env`, unless given */
  constructor(
    protected readonly environment: Readonly<Record<string, string>> = {},
    readonly folder = makeFolder(),
  ) {}

  /** The same folder with more settings. */
  abstract with(environment: Readonly<Record<string, string>>): CliRunner;

  /** Runs a command to its end, without a terminal. */
  abstract run(...args: string[]): Promise<CommandResult>;

  /** Runs a command and reads the JSON it gives. */
  async json<T>(...args: string[]): Promise<T> {
    const { code, stdout, stderr } = await this.run(...args, '--json');
    if (code !== 0) throw new Error(`petstore ${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as T;
  }
}
