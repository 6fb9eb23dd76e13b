import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';

/** How the connections of a pool stand. */
export interface PoolState {
  readonly used: number;
  readonly idle: number;
  /** Requests that wait for a connection; unset where that is not counted. */
  readonly waiting?: number;
  /** Most connections it opens. */
  readonly max: number;
}

/** The pool of connections to the PostgreSQL server a data source writes to. */
export function postgresPoolState({ driver }: DataSource): PoolState {
  const { master } = driver as unknown as { readonly master: Pool };
  const { totalCount, idleCount, waitingCount, options } = master;
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount, max: options.max };
}
