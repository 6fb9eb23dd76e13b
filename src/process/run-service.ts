import { announce } from './announce';
import { exitAtSignal } from './exit-at-signal';
import type { Settings } from '../platform/config/settings';
import { stopLimitMs } from '../platform/http/connections/stop-limits';
import { Scheduler } from '../platform/jobs/scheduler.service';
import type { Logger } from '../platform/logging/logging.module';
import { startService } from './start-service';

/**
 * Runs the service in this process until a signal ends it.
 *
 * @throws when it cannot start (see `startService`)
 */
export async function runService(settings: Settings, logger: Logger): Promise<void> {
  const starting = startService(settings, logger);
  // Registered before the start has ended: requests may be under way while its last step runs.
  const stop = async (signal?: NodeJS.Signals) => (await starting).stop(signal);
  exitAtSignal({ stop, limitMs: stopLimitMs(settings) }, logger);
  const service = await starting;
  service.app.get(Scheduler).begin();
  announce(service, settings, logger);
}
