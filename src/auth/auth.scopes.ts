import { type AdminRecords, changeScope } from '../platform/features/admin-records';

/** What a key needs to manage keys in the console: the first opens it, the second changes keys. */
export const MANAGING_SCOPES = ['admin:read', 'admin:keys'] as const;

/** Scopes of the admin tooling: reading everything, changing keys, deciding about jobs, and changing the records of each feature that describes any. */
export function adminScopes(records: readonly AdminRecords[]): string[] {
  return [...MANAGING_SCOPES, 'admin:jobs', ...records.map(changeScope)];
}
