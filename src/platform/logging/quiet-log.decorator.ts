import { SetMetadata } from '@nestjs/common';

export const QUIET_LOG_METADATA = 'petstore:quiet-log';

/**
 * Logs requests of a route at debug only, and keeps them out of the console's figures: for probes that come every few seconds,
 * and for pages with their files.
 */
export function QuietLog(): ClassDecorator & MethodDecorator {
  return SetMetadata(QUIET_LOG_METADATA, true);
}
