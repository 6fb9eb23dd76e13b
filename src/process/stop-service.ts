import type { NestApplicationContext } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import pTimeout from 'p-timeout';
import type { DataSource } from 'typeorm';
import type { Settings } from '../platform/config/settings';
import { ServiceState } from '../platform/http/service-state';
import { FrontDoor } from '../platform/http/front-door';
import { FINISH_MS, STOP_GRACE_MS } from '../platform/http/connections/stop-limits';
import type { Logger } from '../platform/logging/logging.module';
import { wait } from '../platform/values/wait';

/** The service has stopped, but not as it should; the message is one sentence for the operator. */
class StopError extends Error {}

/** Circumstances of a stop. */
interface StopOptions {
  readonly settings: Settings;
  readonly logger: Logger;
  /** Signal that asked for the stop, for the `onApplicationShutdown()` of modules. */
  readonly signal: NodeJS.Signals | undefined;
}

/**
 * Stops a service: it reports not ready and goes on serving for the time load balancers need to see that. Then it takes no more
 * requests, finishes those under way, writes what is gathered and closes the database, all within `stopLimitMs`.
 *
 * @throws StopError, when all is closed, if requests had to be cut off
 */
export async function stopService(
  app: NestExpressApplication,
  dataSource: DataSource,
  { settings, logger, signal }: StopOptions,
): Promise<void> {
  const frontDoor = app.get(FrontDoor);
  const service = app.get(ServiceState);
  logger.info({ drainDelayMs: settings.drainDelay }, 'The service is stopping.');
  service.leave();
  frontDoor.leave();
  if (settings.drainDelay > 0) await wait(settings.drainDelay);
  service.drain();
  const cut = await frontDoor.drain();
  // If the database does not answer, nothing is lost: everything promised to clients is written already.
  const finished = finish(app, dataSource, signal).then(() => true);
  if (!(await pTimeout(finished, { milliseconds: FINISH_MS, fallback: () => false }))) {
    logger.warn('The database no longer answered; the last uses of API keys may be lost.');
  }
  if (cut > 0) {
    const seconds = STOP_GRACE_MS / 1_000;
    throw new StopError(`Requests that took longer than ${seconds} seconds were cut off: ${cut} in all.`);
  }
  logger.info('The service has stopped.');
}

async function finish(
  app: NestExpressApplication,
  dataSource: DataSource,
  signal: NodeJS.Signals | undefined,
): Promise<void> {
  // The interface leaves out the parameter that the class has.
  await (app as Pick<NestApplicationContext, 'close'>).close(signal);
  await dataSource.destroy();
}
