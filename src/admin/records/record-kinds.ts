import type { AdminRecords } from '../../platform/admin/admin-records';
import { importedRecords } from '../../platform/feature.decorator';

/**
 * What no records can be called: the commands of the service itself, what its scopes `admin:read` and `admin:keys` are about,
 * and what its audit events are about.
 */
const RESERVED: ReadonlySet<string> = new Set([
  ...['audit', 'completion', 'config', 'db', 'doctor', 'help', 'openapi', 'report', 'seed'],
  ...['keys', 'read', 'sessions'],
]);

/**
 * Every kind of record there is.
 *
 * @throws Error when one cannot be called what its descriptor calls it
 */
export function recordKinds(kinds = importedRecords()): readonly AdminRecords[] {
  const seen = new Set<string>();
  for (const { name } of kinds) {
    if (RESERVED.has(name)) {
      throw new Error(`Records cannot be called "${name}": something of the service itself is.`);
    }
    if (seen.has(name)) throw new Error(`Two features call their records "${name}".`);
    seen.add(name);
  }
  return kinds;
}
