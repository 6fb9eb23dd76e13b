import { DEFAULT_POLICY, REFUSED_KEYS_POLICY, type RateLimitPolicy } from './rate-limit-policy';

/**
 * The policies operations declare, each once.
 *
 * @throws Error when one name has two numbers, or is one of the service's own
 */
export function declaredPolicies(
  operations: readonly { readonly rateLimit: RateLimitPolicy | undefined }[],
): RateLimitPolicy[] {
  const policies = new Map<string, RateLimitPolicy>();
  for (const { rateLimit } of operations) {
    if (!rateLimit) continue;
    const { name, perMinute } = rateLimit;
    if (name === DEFAULT_POLICY || name === REFUSED_KEYS_POLICY) {
      throw new Error(`The rate limit policy ${name} is the service's own; choose another name.`);
    }
    if ((policies.get(name)?.perMinute ?? perMinute) !== perMinute) {
      throw new Error(`The rate limit policy ${name} is declared with two numbers.`);
    }
    policies.set(name, rateLimit);
  }
  return [...policies.values()];
}
