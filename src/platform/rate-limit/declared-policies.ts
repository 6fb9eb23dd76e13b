import {
  DEFAULT_POLICY,
  MONTHLY_POLICY,
  type RateLimitPolicy,
  REFUSED_KEYS_POLICY,
} from './rate-limit-policy';

const OWN_POLICIES = [DEFAULT_POLICY, MONTHLY_POLICY, REFUSED_KEYS_POLICY];

/**
 * Returns the policies that operations declare, each once.
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
    if (OWN_POLICIES.includes(name)) {
      throw new Error(`The rate limit policy ${name} is reserved by the service; choose another name.`);
    }
    if ((policies.get(name)?.perMinute ?? perMinute) !== perMinute) {
      throw new Error(`The rate limit policy ${name} is declared with two numbers.`);
    }
    policies.set(name, rateLimit);
  }
  return [...policies.values()];
}
