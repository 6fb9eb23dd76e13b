import pTimeout from 'p-timeout';
import type { Cli, CommandContext } from '../../platform/cli/cli';
import type { Settings } from '../../platform/config/settings';
import { readSchemaState } from '../../platform/database/schema/schema-state';

/** Time limit for closing each of the two, in milliseconds. */
const CLOSE_LIMIT_MS = 1_000;
/** Time limit for a statement of a check, even if requests may take longer, in milliseconds. */
const LONGEST_STATEMENT_MS = 5_000;

/** The modules of the service cannot be opened: that would migrate a SQLite file, and they need all tables. */
export class BehindError extends Error {}

/** The connection and the application that all checks share. Each is opened when the first check needs it. */
export class SharedService {
  private opening: ReturnType<Cli['openDatabase']> | undefined;
  private starting: Promise<CommandContext> | undefined;
  private running: Promise<void> | undefined;
  private readonly end = Promise.withResolvers<void>();

  constructor(
    private readonly cli: Cli,
    private readonly settings: Settings,
  ) {}

  /** The connection, with time limits of its own. @throws MissingDatabaseError or DatabaseOpenError */
  database(): ReturnType<Cli['openDatabase']> {
    const { databaseStatementTimeoutMs } = this.settings;
    this.opening ??= this.cli.openDatabase({
      ...this.settings,
      databaseStatementTimeoutMs: Math.min(databaseStatementTimeoutMs, LONGEST_STATEMENT_MS),
    });
    return this.opening;
  }

  /** The application. @throws BehindError as well */
  service(): Promise<CommandContext> {
    this.starting ??= this.start();
    return this.starting;
  }

  async close(): Promise<void> {
    this.end.resolve();
    const closed = this.opening?.then((dataSource) => dataSource.destroy());
    for (const closing of [this.running, closed]) {
      if (closing) {
        await pTimeout(
          closing.catch(() => undefined),
          { milliseconds: CLOSE_LIMIT_MS, message: false },
        );
      }
    }
  }

  private async start(): Promise<CommandContext> {
    const { pending } = await readSchemaState(await this.database());
    if (pending.length > 0) {
      throw new BehindError('Not checked, because the modules of the service need a migrated database.');
    }
    const started = Promise.withResolvers<CommandContext>();
    const use = async (app: CommandContext) => {
      started.resolve(app);
      await this.end.promise;
    };
    this.running = this.cli.withApp(use, undefined, { changesNothing: true });
    this.running.catch(started.reject);
    return started.promise;
  }
}
