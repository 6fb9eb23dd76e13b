import type { CheckContext } from '../../platform/cli/cli';
import { type Check, degraded, failed, type Finding, ok } from '../../platform/health/check';
import { byteSize } from '../../platform/values/byte-size';
import { readReplicaFacts, type ReplicaFacts } from './replica-facts';

/** Bytes that the primary writes in a moment; more is lag. */
const FAR_BEHIND = 16 * 1_048_576;

/**
 * Checks that each replica follows the primary. If the settings name all servers, one of them is the primary, so one may serve
 * no reads while others do.
 */
export const REPLICAS: Check<CheckContext> = {
  name: 'replicas',
  needs: 'database',
  limitMs: 15_000,
  async check({ settings, database }) {
    if (settings.databaseReplicaUrls.length === 0) return [];
    return checkReplicas(await readReplicaFacts(await database(), settings, settings.databaseReplicaUrls));
  },
};

/** @param replicas all that the settings name */
export function checkReplicas(replicas: readonly ReplicaFacts[]): Finding[] {
  const say = replicas.some(({ fault }) => fault === undefined) ? degraded : failed;
  return replicas.map(({ name, behindBytes = 0, fault }) => {
    if (fault !== undefined) {
      return say(
        `${name} serves no reads; other servers serve them. ${fault}`,
        'Check that the replica runs and follows the primary, unless the replica has become the primary.',
      );
    }
    const found = `${name} is ${byteSize(behindBytes)} behind the primary.`;
    return behindBytes > FAR_BEHIND
      ? degraded(
          found,
          'Reads go to the primary until the replica has caught up; see pg_stat_replication of the primary.',
        )
      : ok(found);
  });
}
