import type { CheckContext } from '../../platform/cli/cli';
import { petstore } from '../../platform/config/called-as';
import { ApiKeysService } from '../../auth/api-keys.service';
import { KeyWarningsService } from '../../auth/key-warnings.service';
import { inDays } from '../../platform/values/calendar';
import { type Check, failed, type Finding, ok, degraded } from '../../platform/health/check';

/** Checks that there is a key to call the service with, now and in the days to come. */
export const KEYS_CHECK: Check<CheckContext> = {
  name: 'keys',
  needs: 'service',
  limitMs: 15_000,
  async check({ service }) {
    const app = await service();
    const keys = await app.get(ApiKeysService).list();
    const warnings = await app.get(KeyWarningsService).list();
    const active = keys.filter(({ status }) => status === 'active').length;
    if (active === 0) return noKey(keys.length);
    const expiring = warnings.filter(({ kind }) => kind === 'expiring');
    const disabling = warnings.filter(({ kind }) => kind === 'disabling');
    const idle = warnings.length - expiring.length - disabling.length;
    return [
      ok(`${active} of ${keys.length} API keys are active; ${idle} active keys are unused.`),
      ...disabling.map(({ days, key }) =>
        degraded(
          `${key.id} (${key.name}) is unused and will be disabled ${inDays(Math.max(0, days))}, on ${key.disablesAt}.`,
          `Ask ${key.owner ?? 'its client'} whether the key is needed: any request keeps the key enabled.`,
        ),
      ),
      ...expiring.map(({ days, key }) =>
        degraded(
          `${key.id} (${key.name}) expires ${inDays(days)}, on ${key.expiresAt}.`,
          `Run "${petstore()} keys rotate ${key.id}", and give the new key to ${key.owner ?? 'its client'}.`,
          `${petstore()} keys rotate ${key.id}`,
        ),
      ),
    ];
  },
};

function noKey(count: number): Finding {
  const create = `${petstore()} keys create --name <name> --scopes pets:read,pets:write`;
  return count === 0
    ? degraded('There are no API keys, so no client can call the service.', `Run "${create}".`, create)
    : failed(
        `None of the ${count} API keys is active, so no client can call the service.`,
        `Run "${create}".`,
        create,
      );
}
