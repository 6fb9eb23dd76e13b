import type { AdminRecords } from '../../platform/features/admin-records';

/**
 * What no records can be called: the commands of the service itself, what its scopes `admin:read` and `admin:keys` are about,
 * and what its audit events are about.
 */
const RESERVED: ReadonlySet<string> = new Set([
  ...['audit', 'completion', 'config', 'db', 'doctor', 'help', 'jobs', 'login', 'logout', 'mcp'],
  ...['openapi', 'read-only', 'report', 'requests', 'seed', 'keys', 'read', 'saved-views', 'sessions'],
]);

/** What no action of a module can be called: what operators do with records of every kind. */
const RESERVED_ACTIONS: ReadonlySet<string> = new Set([
  ...['create', 'export', 'get', 'help', 'history', 'import', 'list', 'remove', 'restore', 'undo'],
  ...['update', 'updateAll'],
]);

/** @throws Error when records, or actions with them, are called what the service itself calls something */
export function refuseReservedNames(kinds: readonly AdminRecords[]): void {
  const reserved = kinds.find(({ name }) => RESERVED.has(name));
  if (reserved) {
    throw new Error(`Records cannot be called "${reserved.name}": something of the service itself is.`);
  }
  for (const { name, actions = {} } of kinds) {
    const action = Object.keys(actions).find(
      (each) => RESERVED_ACTIONS.has(each) || !/^[a-z]\w*$/i.test(each),
    );
    if (action === undefined) continue;
    throw new Error(
      `An action with ${name} cannot be called "${action}": operators have something of this name.`,
    );
  }
}
