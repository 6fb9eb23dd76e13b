import { petstore } from './called-as';

/**
 * Names that are no settings of this version, and whose absence makes the service less safe, with what to do instead. A version that removes such a
 * setting adds it here.
 */
const REMOVED: Readonly<Record<string, () => string>> = {
  READ_ONLY: () =>
    `Remove READ_ONLY, and run "${petstore()} read-only on" before the start: every node on the database then refuses writes.`,
  KEY_OWNER_REQUIRED: () =>
    `Remove KEY_OWNER_REQUIRED: a key need not have an owner, and "${petstore()} keys list" shows which have none.`,
};

/** Returns the faults of variables of removed settings: whoever sets them counts on what they did. */
export function removedFaults(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(REMOVED)
    .filter(([name]) => env[name] && env[name] !== 'false')
    .map(([name, advice]) => `${name} is not a setting, and has no effect. ${advice()}`);
}
