import { NestFactory } from '@nestjs/core';
import type { DataSource } from 'typeorm';
import { petstore } from '../platform/config/called-as';
import { actingAs } from '../platform/security/actor';
import type { CommandContext, DatabaseUse } from '../platform/cli/cli';
import { CommandError } from '../platform/cli/command-error';
import type { Output } from '../platform/cli/output';
import type { Settings } from '../platform/config/settings';
import { engineOf } from '../platform/database/column-types';
import { Database } from '../platform/database/database';
import type { PetstoreDataSource } from '../platform/database/driver/petstore-data-source';
import { explainingRefusals } from '../platform/database/entities/constraint-errors';
import { prepareSchema } from '../platform/database/schema/prepare-schema';
import { createLogger } from '../platform/logging/logger';
import { NestLogger } from '../platform/logging/nest-logger';
import { withDatabase } from './command-database';
import { userName } from './user-name';
import { AppModule } from '../app.module';

/**
 * Starts the modules of the service without HTTP and without the console on a database that fits them, and stops them after the
 * work.
 *
 * @throws MissingDatabaseError, DatabaseOpenError, or CommandError when the database is behind
 */
export function withApp<T>(
  settings: Settings,
  output: Output,
  work: (app: CommandContext) => T | Promise<T>,
  use: DatabaseUse = {},
): Promise<T> {
  const run = async (dataSource: DataSource) => {
    await readySchema(dataSource, settings, output, use);
    // A command serves no requests meanwhile, and to start a thread takes a tenth of its time.
    (dataSource as PetstoreDataSource).scansInThread = false;
    // A fault reaches the person as one sentence; the log is for the server.
    const logger = createLogger('silent', NOWHERE);
    const app = await NestFactory.createApplicationContext(
      AppModule.forCommands({ settings, logger, dataSource }),
      { logger: new NestLogger(logger), abortOnError: false },
    );
    try {
      const database = app.get(Database);
      return await actingAs({ name: `cli:${userName()}` }, () =>
        explainingRefusals(database, async () => work(app)),
      );
    } finally {
      await app.close();
    }
  };
  return withDatabase(settings, output, run, use);
}

const NOWHERE = { write: () => undefined };

/** Migrates the embedded database as the server does, so that commands work between an upgrade and the next start. */
async function readySchema(
  dataSource: DataSource,
  settings: Settings,
  output: Output,
  use: DatabaseUse,
): Promise<void> {
  const mayMigrate = engineOf(dataSource) === 'sqlite' && settings.migrateOnStart !== false;
  const { applied, pending, unknown } = await prepareSchema(dataSource, { ...use, mayMigrate });
  if (applied.length > 0) output.message('The database was migrated.');
  if (unknown.length > 0) output.message('The database was migrated by a newer version of the service.');
  if (pending.length > 0)
    throw new CommandError(`The database lacks migrations: run "${petstore()} db migrate" first.`);
}
