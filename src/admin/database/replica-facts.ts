import type { DataSource } from 'typeorm';
import { type DatabaseSettings, keepsStatements, poolOf } from '../../platform/database/driver/data-source';
import { Replica } from '../../platform/database/replicas/replica';
import { clusterOf, flushedPosition, replayedPosition } from '../../platform/database/replicas/wal-position';

/** State of a streaming replica compared with its primary. */
export interface ReplicaFacts {
  readonly name: string;
  /** Bytes of the write-ahead log that it has not replayed yet. */
  readonly behindBytes?: number;
  /** The reason why it serves no reads: one sentence. */
  readonly fault?: string;
}

/** Asks the configured replicas one by one. Reports an unreachable one instead of throwing. */
export async function readReplicaFacts(
  primary: DataSource,
  settings: DatabaseSettings,
  urls: readonly string[],
): Promise<ReplicaFacts[]> {
  const facts: ReplicaFacts[] = [];
  for (const [index, url] of urls.entries()) {
    const replica = new Replica(`replica-${index + 1}`, url, settings, keepsStatements(primary));
    try {
      facts.push({ name: replica.name, ...(await comparedWith(primary, replica)) });
    } catch (error) {
      facts.push({ name: replica.name, fault: `It cannot be reached: ${(error as Error).message}.` });
    } finally {
      await replica.close();
    }
  }
  return facts;
}

async function comparedWith(primary: DataSource, { pool }: Replica): Promise<Omit<ReplicaFacts, 'name'>> {
  const flushed = await flushedPosition(poolOf(primary), keepsStatements(primary));
  const replayed = await replayedPosition(pool, keepsStatements(primary));
  if (!replayed) return { fault: 'It is no longer in recovery: it was promoted.' };
  if ((await clusterOf(pool)) !== (await clusterOf(poolOf(primary)))) {
    return { fault: 'It belongs to another database cluster than the primary.' };
  }
  if (!flushed) return { fault: 'DATABASE_URL points to a standby, so nothing can be compared.' };
  if (flushed.timeline !== replayed.timeline) {
    return { fault: 'It has not followed the primary since the last failover, or has only just begun to.' };
  }
  return { behindBytes: Math.max(0, Number(flushed.offset - replayed.offset)) };
}
