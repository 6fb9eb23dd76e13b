import type { AdminRecords } from '../../platform/features/admin-records';

/**
 * Reserved names of record types: the commands of the service itself, the subjects of its scopes, such as `admin:read` and `admin:erasures`,
 * and the subjects of its audit events.
 */
const RESERVED: ReadonlySet<string> = new Set([
  ...['audit', 'config', 'db', 'doctor', 'erasures', 'find', 'help', 'jobs'],
  ...['openapi', 'read-only', 'report', 'requests', 'seed', 'keys', 'read', 'saved-views'],
  ...['service', 'sessions'],
]);

/** Reserved names of actions of a module: the operations on every record type. */
const RESERVED_ACTIONS: ReadonlySet<string> = new Set([
  ...['create', 'export', 'help', 'history', 'import', 'list', 'remove', 'restore', 'show', 'undo'],
  ...['undoImport', 'update', 'updateAll'],
]);

/** @throws Error if a record type, or an action of its module, has a name that is reserved by the service */
export function refuseReservedNames(recordTypes: readonly AdminRecords[]): void {
  const reserved = recordTypes.find(({ name }) => RESERVED.has(name));
  if (reserved) {
    throw new Error(`"${reserved.name}" is reserved by the service; choose another name for the records.`);
  }
  for (const { name, actions = {} } of recordTypes) {
    const action = Object.keys(actions).find(
      (each) => RESERVED_ACTIONS.has(each) || !/^[a-z]\w*$/i.test(each),
    );
    if (action === undefined) continue;
    throw new Error(`"${action}" is a command or page of ${name}; choose another name for the action.`);
  }
}
