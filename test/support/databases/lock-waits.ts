import { until } from '../until';

const WAITING = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/**
 * Waits until a statement on PostgreSQL waits for a lock of another transaction.
 *
 * @param client of TypeORM's or of pg's
 */
export function untilLockWait(client: { query(sql: string): Promise<unknown> }): Promise<void> {
  return until(async () => {
    const found = (await client.query(WAITING)) as unknown[] | { rows: unknown[] };
    return (Array.isArray(found) ? found : found.rows).length > 0;
  });
}
