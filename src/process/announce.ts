import type { Settings } from '../platform/config/settings';
import type { Logger } from '../platform/logging/logging.module';
import type { Listening } from '../platform/workers/messages';
import { startGuide } from './start-guide';

/** Tells the operator, once, that the service is there: by the log, and outside production by the start guide. */
export function announce(service: Listening, { nodeEnv }: Settings, logger: Logger): void {
  logger.info({ url: service.url, management: service.managementUrl }, 'The petstore service is listening.');
  if (nodeEnv !== 'production') process.stdout.write(startGuide(service));
}
