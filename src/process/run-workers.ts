import { announce } from './announce';
import { exitAfter, exitAtSignal } from './exit';
import { type Environment, loadEnvironment, loadSettings } from '../platform/config/load-settings';
import type { Settings } from '../platform/config/settings';
import { stopLimitMs } from '../platform/http/connections/stop-limits';
import type { Logger } from '../platform/logging/logging.module';
import { serveRateLimitsToWorkers } from '../platform/rate-limit/worker-limits';
import type { Listening, Start } from '../platform/workers/messages';
import { Primary } from '../platform/workers/primary';
import { PrimaryLink } from '../platform/workers/primary-link';
import type { RunningService } from './start-service';

/** Milliseconds that the primary waits longer than a worker at a stop, so that a worker that is cut off can say why first. */
const STOP_MARGIN_MS = 2_000;

/**
 * Runs the service in several processes: this one is the primary or a worker.
 *
 * @throws Error with one sentence when the service cannot start
 */
export function runWorkers(settings: Settings, logger: Logger): Promise<void> {
  return PrimaryLink.isWorker() ? work(settings, logger) : lead(settings, logger);
}

async function lead(settings: Settings, logger: Logger): Promise<void> {
  serveRateLimitsToWorkers();
  const primary = new Primary(settings.workers, logger, (first) => followTo(first, settings));
  const limitMs = stopLimitMs(settings) + STOP_MARGIN_MS;
  exitAtSignal({ stop: () => primary.stop(), limitMs }, logger);
  announce(await primary.start(), settings, logger.child({ workers: settings.workers }));
}

/**
 * Settings of the further workers. If the default management port is in use, the first worker takes a free one, and the others
 * share it by asking for any.
 */
function followTo({ managementUrl }: Listening, { managementPort }: Settings): Environment {
  return managementUrl.endsWith(`:${managementPort}`) ? {} : { MANAGEMENT_PORT: '0' };
}

async function work(settings: Settings, logger: Logger): Promise<void> {
  let starting: Promise<RunningService> | undefined;
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    exitAfter({ stop: async () => (await starting)?.stop(), limitMs: stopLimitMs(settings) }, logger);
  };
  const link = new PrimaryLink();
  const { promise: told, resolve: start } = Promise.withResolvers<Start>();
  link.on('start', start);
  link.on('stop', stop);
  link.onGone(stop);
  process.on('SIGTERM', stop);
  // Ctrl+C reaches every process of a terminal, but only the primary decides what a worker does.
  process.on('SIGINT', () => undefined);

  try {
    const [{ startService }, { Scheduler }] = await Promise.all([
      import('./start-service.js'),
      import('../platform/jobs/scheduler.service.js'),
    ]);
    const { environment, bucketSecret } = await told;
    const loaded = loadSettings({ ...loadEnvironment(), ...environment });
    starting = startService(loaded, logger, { primary: link, bucketSecret });
    const { app, url, managementUrl, firstKey, firstKeyBehind } = await starting;
    app.get(Scheduler).begin();
    await link.say({ petstore: 'listening', listening: { url, managementUrl, firstKey, firstKeyBehind } });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await link.say({ petstore: 'failed', reason });
    process.exit(1);
  }
}
