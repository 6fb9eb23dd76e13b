import { petstore } from './called-as';

/**
 * Settings that are gone, and whose loss makes the service less safe, with what to do instead. A version that removes such a
 * setting adds it here.
 */
const REMOVED: Readonly<Record<string, () => string>> = {
  READ_ONLY: () =>
    `Remove READ_ONLY, and run "${petstore()} read-only on" before the start: every node on the database then refuses writes.`,
};

/** Returns the faults of variables of removed settings: whoever sets them counts on what they did. */
export function removedFaults(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(REMOVED)
    .filter(([name]) => env[name] && env[name] !== 'false')
    .map(([name, advice]) => `${name} no longer has an effect. ${advice()}`);
}
