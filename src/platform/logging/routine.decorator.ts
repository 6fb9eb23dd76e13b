import { SetMetadata } from '@nestjs/common';

export const ROUTINE_METADATA = 'petstore:routine';

/** Machines ask it over and over, as probes do: such requests are logged at debug only. */
export function Routine(): ClassDecorator & MethodDecorator {
  return SetMetadata(ROUTINE_METADATA, true);
}
