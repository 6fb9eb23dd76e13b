import { changeScope } from '../platform/admin/admin-records';
import { importedRecords } from '../platform/feature.decorator';

/** Scopes of the admin tooling: reading everything, changing keys, and changing the records of each feature that describes any. */
export function adminScopes(): string[] {
  return ['admin:read', 'admin:keys', ...importedRecords().map(changeScope)];
}
