import { type CustomDecorator, SetMetadata } from '@nestjs/common';
import type { RateLimitPolicy } from './rate-limit-policy';

export const RATE_LIMIT_METADATA = 'petstore:rate-limit';

/** A name that needs no escaping in header fields, labels and keys of stores. */
const NAME = /^[a-z][a-z0-9-]{0,31}$/;

/**
 * Gives a route, or all routes of a controller, a budget of its own in place of the common one; operations with the same policy
 * share it.
 *
 * @param name lower-case letters, digits and hyphens; clients see it in `RateLimit-Policy`
 * @throws RangeError when the name or the number cannot be used
 */
export function RateLimited(
  name: string,
  { perMinute }: Pick<RateLimitPolicy, 'perMinute'>,
): CustomDecorator {
  if (!NAME.test(name) || !Number.isInteger(perMinute) || perMinute < 1) {
    throw new RangeError(`A rate limit needs a name such as exports and at least 1 request a minute.`);
  }
  return SetMetadata(RATE_LIMIT_METADATA, { name, perMinute } satisfies RateLimitPolicy);
}
