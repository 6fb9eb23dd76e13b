import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Command } from 'commander';
import { DataSource } from 'typeorm';
import type { Cli, CommandContext } from '../../platform/cli/cli';
import { CommandError, type ExitCode, RefusedError, UsageError } from '../../platform/cli/command-error';
import { wordsOf } from '../../platform/cli/command-words';
import type { Output } from '../../platform/cli/output';
import type { CommandRunner } from '../../platform/cli/program';
import { namesFile, remoteScopeOf } from '../../platform/cli/remote-access';
import type { Settings } from '../../platform/config/settings';
import { InjectSettings } from '../../platform/config/settings.module';
import { AppError } from '../../platform/errors/app-error';
import { InjectLogger, type Logger } from '../../platform/logging/logging.module';
import { NotAllowedError } from '../console/console.errors';
import { SIGN_IN_SCOPE } from '../console/sessions/new-session';
import type { Operator } from '../console/sessions/sessions.service';

/**
 * Loads the runner of commands on demand: the packages of the command line take memory, and most servers never run a command.
 */
export type LoadRunner = () => Promise<CommandRunner>;

/** Injection token of the {@link LoadRunner}. */
export const LOAD_RUNNER = Symbol('LOAD_RUNNER');

/** Runs commands in this process for people at other machines. */
@Injectable()
export class RemoteCommands {
  constructor(
    @Inject(LOAD_RUNNER) private readonly loadRunner: LoadRunner,
    private readonly moduleRef: ModuleRef,
    private readonly dataSource: DataSource,
    @InjectSettings() private readonly settings: Settings,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * Runs a command that is offered to other machines, for a person who has its scope.
   *
   * @param requestId identifies the request in the log if the service is at fault
   * @returns the exit code; nothing is thrown
   */
  async run(
    args: readonly string[],
    output: Output,
    { scopes }: Pick<Operator, 'scopes'>,
    requestId: string,
  ): Promise<ExitCode> {
    const runCommand = await this.loadRunner();
    return runCommand(this.cliWith(output, requestId), args, (command) => assertAllowed(command, scopes));
  }

  /** The environment of commands here: the running application, and nothing of its machine. */
  private cliWith(output: Output, requestId: string): Cli {
    const refuse = () => {
      throw new RefusedError('This command only works on the machine of the service.');
    };
    const app = {
      get: (token: Parameters<ModuleRef['get']>[0]): unknown => this.moduleRef.get(token, { strict: false }),
    } as CommandContext;
    return {
      output,
      isOnServer: true,
      loadSettings: () => this.settings,
      openDatabase: () => Promise.resolve(this.dataSource),
      withDatabase: refuse,
      withApp: async (work, others) => {
        // The application keeps the settings that it runs with.
        if (others) return refuse();
        try {
          return await work(app);
        } catch (error) {
          throw this.forPerson(error, requestId);
        }
      },
    };
  }

  /** Replaces an internal error by one for the person, and logs the original. */
  private forPerson(error: unknown, requestId: string): AppError {
    if (error instanceof AppError) return error;
    this.logger.error({ err: error, requestId }, 'A command that was run from another machine failed.');
    return new CommandError(
      `The server met an unexpected fault; its log has the details of request ${requestId}.`,
    );
  }
}

/** Most rows that a reading command may list: making a larger table would keep other requests waiting. */
const MAX_LISTED = 1_000;

/** @throws AppError if the command is not offered to other machines, or the person lacks its scope */
function assertAllowed(command: Command, scopes: ReadonlySet<string>): void {
  const scope = remoteScopeOf(command);
  if (scope === undefined) {
    throw new RefusedError(`petstore ${wordsOf(command)} only works on the machine of the service.`);
  }
  if (!scopes.has(scope)) throw new NotAllowedError(`You do not have the scope ${scope}, which this needs.`);
  const file = command.options.find(
    (option) => namesFile(option) && command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (file) {
    throw new RefusedError(
      `${file.long} would name a file on the server: leave it out, and redirect the output with > to a file here.`,
    );
  }
  if (scope === SIGN_IN_SCOPE && Number(command.getOptionValue('limit') ?? 0) > MAX_LISTED) {
    throw new UsageError(`On a server, --limit is at most ${MAX_LISTED}.`);
  }
}
