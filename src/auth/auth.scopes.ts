import { changeScope } from '../platform/admin/admin-records';
import { importedRecords } from '../platform/feature.decorator';

/** What a key needs to manage keys in the console: the first opens it, the second changes keys. */
export const MANAGING_SCOPES = ['admin:read', 'admin:keys'] as const;

/** Scopes of the admin tooling: reading everything, changing keys, and changing the records of each feature that describes any. */
export function adminScopes(): string[] {
  return [...MANAGING_SCOPES, ...importedRecords().map(changeScope)];
}
