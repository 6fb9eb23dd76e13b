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
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount, max: options.max };
}
