import { actionScope, actionsIn, type AdminRecords, changeScope } from '../platform/features/admin-records';

/** Scopes a key needs to manage keys in the console: the first opens it, the second changes keys. */
export const MANAGING_SCOPES = ['admin:read', 'admin:keys'] as const;

/**
 * Scopes of the admin tooling: reading everything, changing keys, erasing what is held of a person, deciding about jobs, switching
 * read-only mode, changing the records of each feature that describes any, and the actions of features that have a scope of their own.
 */
export function adminScopes(records: readonly AdminRecords[]): string[] {
  const ofRecords = records.flatMap((recordType) => [
    changeScope(recordType),
    ...actionsIn(recordType).map(([, action]) => actionScope(recordType, action)),
  ]);
  return [...new Set([...MANAGING_SCOPES, 'admin:erasures', 'admin:jobs', 'admin:service', ...ofRecords])];
}
