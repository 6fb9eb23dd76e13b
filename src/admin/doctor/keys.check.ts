import { petstore } from '../../platform/config/called-as';
import { ApiKeysService } from '../../auth/api-keys.service';
import { KeyWarningsService } from '../../auth/key-warnings.service';
import { inDays } from '../../platform/values/calendar';
import { readSchemaState } from '../../platform/database/schema/schema-state';
import { type DoctorCheck, fail, type Finding, ok, warn } from './check';

/** Checks that there is a key to call the service with, now and in the days to come. */
export const KEYS_CHECK: DoctorCheck = {
  name: 'keys',
  limitMs: 15_000,
  async run(context) {
    const { pending } = await readSchemaState(await context.database());
    // Opening the modules would migrate a SQLite file.
    if (pending.length > 0)
      return [warn('API keys cannot be read before the database is migrated.', 'See the line migrations.')];
    const [keys, warnings] = await context.cli.withApp(
      async (app) => [await app.get(ApiKeysService).list(), await app.get(KeyWarningsService).list()],
      undefined,
      { changesNothing: true },
    );
    const active = keys.filter(({ status }) => status === 'active').length;
    if (active === 0) return [noKey(keys.length)];
    const expiring = warnings.filter(({ kind }) => kind === 'expiring');
    const disabling = warnings.filter(({ kind }) => kind === 'disabling');
    const idle = warnings.length - expiring.length - disabling.length;
    return [
      ok(`${active} of ${keys.length} API keys are active; ${idle} active keys are unused.`),
      ...disabling.map(({ days, key }) =>
        warn(
          `${key.id} (${key.name}) is unused and will be disabled ${inDays(Math.max(0, days))}, on ${key.disablesAt}.`,
          `Ask ${key.owner ?? 'its client'} whether the key is needed: any request keeps the key enabled.`,
        ),
      ),
      ...expiring.map(({ days, key }) =>
        warn(
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
    ? warn('There are no API keys, so no client can call the service.', `Run "${create}".`, create)
    : fail(
        `None of the ${count} API keys is active, so no client can call the service.`,
        `Run "${create}".`,
        create,
      );
}
