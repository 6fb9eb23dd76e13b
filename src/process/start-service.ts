import 'reflect-metadata';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { DataSource } from 'typeorm';
import { ApiKeysService } from '../auth/api-keys.service';
import { BootstrapKeyService } from '../auth/bootstrap-key.service';
import type { KeyWithoutScopes } from '../auth/dto/key-view';
import { type AppOptions, createApp } from '../create-app';
import { listedFeatures } from '../own-service';
import { isInUse, listen } from '../platform/http/connections/listen';
import { petstore } from '../platform/config/called-as';
import { redactedSettings, withFeatureSettings } from '../platform/config/load-settings';
import { misspeltInWords, misspeltNames } from '../platform/config/misspelt-names';
import type { SettingName, Settings } from '../platform/config/settings';
import { engineOf } from '../platform/database/column-types';
import { serverMayCreate } from '../platform/database/driver/missing-database';
import { openDatabase } from '../platform/database/driver/open';
import { prepareSchema } from '../platform/database/schema/prepare-schema';
import type { PetstoreAdapter } from '../platform/http/adapter';
import { EventDeliverer } from '../platform/events/event-deliverer.service';
import { JobRunner } from '../platform/jobs/job-runner.service';
import { schemaOf, settingsOf } from '../platform/features/feature-modules';
import { ReadOnlyMode } from '../platform/read-only/read-only-mode';
import { createLogger } from '../platform/logging/logger';
import type { Logger } from '../platform/logging/logging.module';
import { RateLimitStore } from '../platform/rate-limit/rate-limit-store';
import { Metrics } from '../platform/telemetry/metrics';
import { addProcessStatistics } from '../platform/telemetry/process-statistics';
import { TOOLING } from '../tooling';
import { stopService } from './stop-service';

/** A running service. */
export interface RunningService {
  /** Root address, `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Root address of the management port. */
  readonly managementUrl: string;
  /** Token of the first key, if this start made it. */
  readonly firstKey: string | undefined;
  /** The first key, if it lacks scopes of this version. */
  readonly firstKeyBehind: KeyWithoutScopes | undefined;
  /** The application, for tests that look inside. */
  readonly app: NestExpressApplication;
  /** Stops it (see `stopService`). */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Opens the database, migrates it if that is wanted, and serves.
 *
 * @param logger the log; made from the settings unless given
 * @throws SettingsError for settings of features, StartError, MissingDatabaseError, DatabaseOpenError, NewerDatabaseError or ApiKeyRefusedError, each with one sentence
 */
export async function startService(
  given: Settings,
  logger: Logger = createLogger(given.logLevel),
  { features = listedFeatures(), ...options }: AppOptions = {},
): Promise<RunningService> {
  const settings = withFeatureSettings(given, settingsOf(features));
  for (const each of misspeltNames(settings)) logger.warn({ misspelt: each }, misspeltInWords(each));
  const dataSource = await openDatabase(settings, schemaOf(features), {
    mayCreate: serverMayCreate(settings),
  });
  let app: NestExpressApplication | undefined;
  try {
    const isCurrent = await readySchema(dataSource, settings, logger);
    app = await createApp({ settings, logger, dataSource }, { features, ...options });
    if (settings.bootstrapApiKey) await app.get(BootstrapKeyService).ensure(settings.bootstrapApiKey);
    await app.get(RateLimitStore).open();
    const url = await listenInPublic(app, settings);
    const managementUrl = await listenForManagement(app, settings, logger);
    addProcessStatistics(app.get(Metrics).registry);
    for (const load of TOOLING) await (await load()).begin(app);
    app.get(EventDeliverer).begin();
    app.get(JobRunner).begin();
    // Last, when the start can no longer fail: a key that was made and not shown is lost, and no start makes another.
    const firstKey = isCurrent ? await makeFirstKey(app, dataSource, settings) : undefined;
    const firstKeyBehind = isCurrent ? await findFirstKeyBehind(app, settings) : undefined;
    const running = app;
    const stop = (signal?: NodeJS.Signals) => stopService(running, dataSource, { settings, logger, signal });
    return { url, managementUrl, firstKey, firstKeyBehind, app, stop };
  } catch (error) {
    // Why the service cannot start is to be told, whatever its end comes to.
    await app
      ?.close()
      .catch((fault: unknown) => logger.error({ err: fault }, 'The service did not stop in order.'));
    await dataSource.destroy();
    throw error;
  }
}

/** @returns true if the schema has all this build needs */
async function readySchema(dataSource: DataSource, settings: Settings, logger: Logger): Promise<boolean> {
  const mayMigrate = settings.migrateOnStart ?? engineOf(dataSource) === 'sqlite';
  const { applied, pending, unknown } = await prepareSchema(dataSource, {
    mayCreate: serverMayCreate(settings),
    mayMigrate,
    observer: { waiting: (message) => logger.warn(message) },
  });
  if (applied.length > 0) logger.info({ migrations: applied }, 'The database was migrated.');
  if (unknown.length > 0) {
    logger.warn({ unknown }, 'The database was migrated by a newer version of the service.');
  }
  if (pending.length === 0) return true;
  logger.warn(
    { pending },
    `The database lacks migrations: the service is not ready until "${petstore()} db migrate" has run, or the service restarts with MIGRATE_ON_START=true.`,
  );
  return false;
}

async function makeFirstKey(
  app: NestExpressApplication,
  dataSource: DataSource,
  { bootstrapApiKey, nodeEnv }: Settings,
): Promise<string | undefined> {
  const isWanted = !bootstrapApiKey && nodeEnv !== 'production' && engineOf(dataSource) === 'sqlite';
  const mayWrite = !app.get(ReadOnlyMode).isOn;
  return isWanted && mayWrite ? (await app.get(ApiKeysService).createFirst())?.token : undefined;
}

/** Looks only outside production, where a person reads the start guide. */
function findFirstKeyBehind(
  app: NestExpressApplication,
  { nodeEnv }: Settings,
): Promise<KeyWithoutScopes | undefined> | undefined {
  return nodeEnv === 'production' ? undefined : app.get(ApiKeysService).firstWithoutEveryScope();
}

function listenInPublic(app: NestExpressApplication, { host, port }: Settings): Promise<string> {
  return listen(app.getHttpServer(), { host, port, settings: { host: 'HOST', port: 'PORT' } });
}

/**
 * Falls back to a free port: the operator did not ask for the default one, so two services on one machine need only two public
 * ports.
 */
async function listenForManagement(
  app: NestExpressApplication,
  settings: Settings,
  logger: Logger,
): Promise<string> {
  const managementServer = (app.getHttpAdapter() as unknown as PetstoreAdapter).serverOf('management');
  const at = {
    host: settings.managementHost,
    port: settings.managementPort,
    settings: { host: 'MANAGEMENT_HOST', port: 'MANAGEMENT_PORT' },
  };
  try {
    return await listen(managementServer, at);
  } catch (error) {
    if (!isInUse(error) || isGiven(settings, 'MANAGEMENT_PORT')) throw error;
    const management = await listen(managementServer, { ...at, port: 0 });
    logger.warn(
      { management },
      `Port ${at.port} on ${at.host} is in use, so the management port uses another; choose one with MANAGEMENT_PORT.`,
    );
    return management;
  }
}

function isGiven(settings: Settings, name: SettingName): boolean {
  return redactedSettings(settings).some((setting) => setting.name === name && setting.source !== 'default');
}
