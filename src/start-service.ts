import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { DataSource } from 'typeorm';
import { ApiKeysService } from './auth/api-keys.service';
import { BootstrapKeyService } from './auth/bootstrap-key.service';
import { createApp } from './create-app';
import type { Settings } from './platform/config/settings';
import { engineOf } from './platform/database/column-types';
import { openDatabase } from './platform/database/open';
import { prepareSchema } from './platform/database/prepare-schema';
import { createLogger } from './platform/logging/logger';
import type { Logger } from './platform/logging/logging.module';
import { stopService } from './stop-service';

/** A running service. */
export interface RunningService {
  /** Root address, `http://127.0.0.1:3000`. */
  readonly url: string;
  /** The token of the first key, when this start made it. */
  readonly firstKey: string | undefined;
  /** The application, for those who look inside. */
  readonly app: NestExpressApplication;
  /** Stops it (see `stopService`). */
  stop(): Promise<void>;
}

/** The service cannot start; the message is one sentence for the operator. */
export class StartError extends Error {}

/**
 * Opens the database, migrates it where that is wanted, and serves.
 *
 * @param logger where it logs; made from the settings unless given
 * @throws StartError, DatabaseOpenError, NewerDatabaseError or ApiKeyRefusal, each with one sentence
 */
export async function startService(
  settings: Settings,
  logger: Logger = createLogger(settings.logLevel),
): Promise<RunningService> {
  const dataSource = await openDatabase(settings);
  let app: NestExpressApplication | undefined;
  try {
    const isCurrent = await readySchema(dataSource, settings, logger);
    app = await createApp({ settings, logger, dataSource });
    if (settings.bootstrapApiKey) await app.get(BootstrapKeyService).ensure(settings.bootstrapApiKey);
    await listen(app, settings);
    // Last, when no start can fail any more: a key that was made and not shown is lost, and no start makes another.
    const firstKey = isCurrent ? await makeFirstKey(app, dataSource, settings) : undefined;
    const url = addressOf(app);
    logger.info({ url }, 'The petstore service is listening.');
    const running = app;
    return { url, firstKey, app, stop: () => stopService(running, dataSource, settings, logger) };
  } catch (error) {
    await app?.close();
    await dataSource.destroy();
    throw error;
  }
}

/** @returns whether the schema has all this build needs */
async function readySchema(dataSource: DataSource, settings: Settings, logger: Logger): Promise<boolean> {
  const mayMigrate = settings.migrateOnStart ?? engineOf(dataSource) === 'sqlite';
  const { applied, pending, unknown } = await prepareSchema(dataSource, mayMigrate);
  if (applied.length > 0) logger.info({ migrations: applied }, 'The database was migrated.');
  if (unknown.length > 0) {
    logger.warn({ unknown }, 'The database was migrated by a newer version of the service.');
  }
  if (pending.length === 0) return true;
  logger.warn(
    { pending },
    'The database is behind: the service is not ready until "petstore db migrate" has run, or it is started with MIGRATE_ON_START=true.',
  );
  return false;
}

async function makeFirstKey(
  app: NestExpressApplication,
  dataSource: DataSource,
  { bootstrapApiKey, nodeEnv }: Settings,
): Promise<string | undefined> {
  const isWanted = !bootstrapApiKey && nodeEnv !== 'production' && engineOf(dataSource) === 'sqlite';
  return isWanted ? (await app.get(ApiKeysService).createFirst())?.token : undefined;
}

async function listen(app: NestExpressApplication, { host, port }: Settings): Promise<void> {
  try {
    // Not app.listen, which also logs the error with its stack: the operator is told once, in one sentence.
    const server = app.getHttpServer().listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw new StartError(explainListen(error as NodeJS.ErrnoException, host, port), { cause: error });
  }
}

function explainListen(error: NodeJS.ErrnoException, host: string, port: number): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use; stop what listens there or choose another with PORT.`;
    case 'EACCES':
      return `Port ${port} on ${host} may not be used by this user; choose one above 1023 with PORT.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${host}; choose another with HOST.`;
    default:
      return `The service cannot listen on ${host}:${port}: ${error.message}.`;
  }
}

function addressOf(app: NestExpressApplication): string {
  const { address, family, port } = app.getHttpServer().address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
