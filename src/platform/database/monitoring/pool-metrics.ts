import { Injectable } from '@nestjs/common';
import { Gauge } from '@prometheus-io/client';
import { Metrics } from '../../telemetry/metrics';
import { Database } from '../database';
import { type PoolState, postgresPoolState } from '../driver/pool-state';
import { Replicas } from '../replicas/replicas';

const POOL = 'db_client_connection_pool_name';
const STATE = 'db_client_connection_state';

/** The pools of database connections, under OpenTelemetry's names; read at each scrape. */
@Injectable()
export class PoolMetrics {
  private readonly pools = new Map<string, () => PoolState>();

  constructor({ registry }: Metrics, database: Database, replicas: Replicas) {
    this.watch('primary', () => database.pool);
    const { scans } = database;
    if (scans) this.watch('scans', () => scans.state);
    for (const { name, pool } of replicas.all) this.watch(name, () => postgresPoolState(pool));
    this.add(registry, 'db_client_connection_count', 'Open connections of a pool, by state.', (state) => [
      [{ [STATE]: 'idle' }, state.idle],
      [{ [STATE]: 'used' }, state.used],
    ]);
    this.add(registry, 'db_client_connection_max', 'Maximum number of connections of a pool.', ({ max }) => [
      [{}, max],
    ]);
    this.add(
      registry,
      'db_client_connection_pending_requests',
      'Requests waiting for a connection of a pool.',
      ({ waiting }) => (waiting === undefined ? [] : [[{}, waiting]]),
    );
  }

  /** @param name of the pool, one of few: it becomes a label */
  watch(name: string, read: () => PoolState): void {
    this.pools.set(name, read);
  }

  private add(
    registry: Metrics['registry'],
    name: string,
    help: string,
    valuesOf: (state: PoolState) => [Record<string, string>, number][],
  ): void {
    const { pools } = this;
    const gauge = new Gauge({
      name,
      help,
      labelNames: [POOL, STATE],
      registers: [],
      collect() {
        for (const [pool, read] of pools) {
          for (const [labels, value] of valuesOf(read())) this.set({ [POOL]: pool, ...labels }, value);
        }
      },
    });
    registry.registerMetric(gauge);
  }
}
