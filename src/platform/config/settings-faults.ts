import type { Settings } from './settings';
import { signInFaults } from './sign-in-settings';

/** Returns the faults between settings that are each valid. A faulty member is missing here and is not judged. */
export function faultsBetween(settings: Partial<Settings>): string[] {
  const { headersTimeoutMs = 0, requestTimeoutMs = Infinity } = settings;
  const faults: string[] = [];
  // node:http throws on such a pair when the server is created.
  if (headersTimeoutMs > requestTimeoutMs) {
    faults.push('HEADERS_TIMEOUT_MS must not be above REQUEST_TIMEOUT_MS.');
  }
  if (settings.databaseReplicaUrls?.length && settings.databaseUrl?.startsWith('sqlite:')) {
    faults.push('DATABASE_REPLICA_URLS must be empty unless DATABASE_URL is a PostgreSQL server.');
  }
  return [...faults, ...signInFaults(settings)];
}
