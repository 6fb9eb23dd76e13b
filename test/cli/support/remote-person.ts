import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProviderVisit, type TestProvider } from '../../console/support/oidc-provider';
import type { CommandResult } from '../../support/processes/command';
import { makeFolder } from '../../support/folders';
import { CliInProcess } from './cli-in-process';

/** A person at a machine of their own, who has signed in to nothing yet. */
export class RemotePerson {
  private readonly home = makeFolder();
  readonly cli = new CliInProcess({ XDG_CONFIG_HOME: this.home });
  /** Their browser at the provider. */
  readonly visit = new ProviderVisit(this.provider);

  /** @param origin of the console */
  constructor(
    private readonly provider: TestProvider,
    private readonly origin: string,
  ) {}

  /** Runs `petstore login`, and enters the code that it shows. */
  async login(visitor: string, answer?: 'abort'): Promise<CommandResult> {
    this.provider.visitor = visitor;
    const begun = once(this.provider.devices, 'begun');
    const result = this.cli.run('login', this.origin);
    const [userCode] = (await begun) as [string];
    await this.visit.enterCode(userCode, answer);
    return result;
  }

  /** Runs a command at the server. */
  at(...args: string[]): Promise<CommandResult> {
    return this.cli.run(...args, '--server', this.origin);
  }

  /** The files with what `petstore login` has stored. */
  get files(): string[] {
    const folder = join(this.home, 'petstore');
    return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  }

  /** The token of the session that is stored. */
  get token(): string {
    return (JSON.parse(readFileSync(this.files[0] as string, 'utf8')) as { token: string }).token;
  }
}
