import type { Pool } from 'pg';

/** State of a pool's connections. */
export interface PoolState {
  readonly used: number;
  readonly idle: number;
  /** Requests that wait for a connection; unset where that is not counted. */
  readonly waiting?: number;
  /** Most connections it opens. */
  readonly max: number;
}

/** Returns the state of a pool of connections to a PostgreSQL server. */
export function postgresPoolState({ totalCount, idleCount, waitingCount, options }: Pool): PoolState {
  // One that an idle connection is for has it at the next tick: the scrape of metrics itself asks the database.
  const waiting = Math.max(0, waitingCount - idleCount);
  return { used: totalCount - idleCount, idle: idleCount, waiting, max: options.max };
}
