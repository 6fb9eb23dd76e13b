import { SetMetadata } from '@nestjs/common';

export const QUIET_LOG_METADATA = 'petstore:quiet-log';

/** Logs requests of a route at debug only, for probes that come every few seconds. */
export function QuietLog(): ClassDecorator & MethodDecorator {
  return SetMetadata(QUIET_LOG_METADATA, true);
}
