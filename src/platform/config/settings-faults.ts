import type { Settings } from './settings';
import { signInFaults } from './sign-in-settings';

/** Returns the faults between settings that are each valid. A faulty member is missing here and is not judged. */
export function faultsBetween(settings: Partial<Settings>): string[] {
  const faults: string[] = [];
  if (settings.databaseReplicaUrls?.length && settings.databaseUrl?.startsWith('sqlite:')) {
    faults.push('DATABASE_REPLICA_URLS must be empty unless DATABASE_URL is a PostgreSQL server.');
  }
  return [...faults, ...signInFaults(settings)];
}
