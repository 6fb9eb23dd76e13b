import { readNetwork } from '../platform/security/networks';
import { InvalidValueError } from '../platform/values/written-values';
import { UnfitApiKeyError } from './api-keys.errors';
import { type KeyRules, MOST } from './dto/key-rules';

/**
 * Rules as they are stored: each network once, in its canonical form.
 *
 * @throws UnfitApiKeyError
 */
export function fitRules({
  networks = [],
  limitPerMinute = null,
  quotaPerMonth = null,
}: Partial<KeyRules>): KeyRules {
  assertWithin('limitPerMinute', 'The limit a minute', limitPerMinute);
  assertWithin('quotaPerMonth', 'The quota a month', quotaPerMonth);
  return { networks: fitNetworks(networks), limitPerMinute, quotaPerMonth };
}

function fitNetworks(networks: readonly string[]): string[] {
  try {
    const fit = [...new Set(networks.map(readNetwork))];
    if (fit.length <= MOST.networks) return fit;
  } catch (error) {
    throw error instanceof InvalidValueError ? new UnfitApiKeyError('networks', error.message) : error;
  }
  throw new UnfitApiKeyError('networks', `A key can have at most ${MOST.networks} networks.`);
}

function assertWithin(field: 'limitPerMinute' | 'quotaPerMonth', name: string, value: number | null): void {
  if (value === null || (Number.isInteger(value) && value >= 1 && value <= MOST[field])) return;
  throw new UnfitApiKeyError(field, `${name} must be a whole number from 1 to ${MOST[field]}.`);
}
