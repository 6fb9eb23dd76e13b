import type { AdminRecords } from '../../platform/features/admin-records';

/**
 * What no records can be called: the commands of the service itself, what its scopes `admin:read` and `admin:keys` are about,
 * and what its audit events are about.
 */
const RESERVED: ReadonlySet<string> = new Set([
  ...['audit', 'completion', 'config', 'db', 'doctor', 'help', 'jobs', 'mcp', 'openapi', 'read-only'],
  ...['report', 'requests', 'seed', 'keys', 'read', 'saved-views', 'sessions'],
]);

/** @throws Error when records are called what the service itself calls something */
export function refuseReservedNames(kinds: readonly AdminRecords[]): void {
  const reserved = kinds.find(({ name }) => RESERVED.has(name));
  if (reserved) {
    throw new Error(`Records cannot be called "${reserved.name}": something of the service itself is.`);
  }
}
