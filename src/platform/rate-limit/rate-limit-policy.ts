/** Limit on the rate of some requests. */
export interface RateLimitPolicy {
  /** Name in header fields, metrics and stores: lower-case letters, digits and hyphens. */
  readonly name: string;
  /** Requests in a minute, at least 1. */
  readonly perMinute: number;
}

/** The policy of every operation that names none. */
export const DEFAULT_POLICY = 'default';

/** The policy of the requests that a key may make in a month. */
export const MONTHLY_POLICY = 'monthly-quota';

/** The policy of API keys that are not valid, for each address. */
export const REFUSED_KEYS_POLICY = 'refused-keys';

/** Length of a window, in seconds: it begins with the first request that is counted in it. */
export const WINDOW_S = 60;

/** Returns the options of a rate-limiter-flexible limiter for a policy. */
export function limiterOptions({ name, perMinute }: RateLimitPolicy) {
  return { keyPrefix: `petstore:rate-limit:${name}`, points: perMinute, duration: WINDOW_S };
}
