import { Entity, PrimaryColumn } from 'typeorm';
import { IntegerColumn } from '../../platform/database/column-types';

/**
 * Requests that one process served on its public port in one minute. Each column of durations counts those within its bound and
 * beyond the bound before; durations beyond the last bound are in no column.
 */
@Entity('traffic_minutes')
export class TrafficMinute {
  /** Minutes since 1970 in UTC: a number can be divided into longer steps on both engines. */
  @PrimaryColumn({
    type: 'integer',
    primaryKeyConstraintName: 'pk_traffic_minutes',
    transformer: { to: (minute: number) => minute, from: Number },
  })
  minute!: number;

  /** The {@link ServingProcess.id}; the process may be deleted before its minutes. */
  @PrimaryColumn({ type: 'text', name: 'process_id', primaryKeyConstraintName: 'pk_traffic_minutes' })
  processId!: string;

  @IntegerColumn()
  requests!: number;

  /** Requests with a response of 2xx or 3xx. */
  @IntegerColumn()
  succeeded!: number;

  /** Requests with a response of 4xx. */
  @IntegerColumn({ name: 'client_errors' })
  clientErrors!: number;

  /** Requests with a response of 5xx. */
  @IntegerColumn({ name: 'server_errors' })
  serverErrors!: number;

  @IntegerColumn({ name: 'within_1_ms' })
  within1Ms!: number;

  @IntegerColumn({ name: 'within_2_5_ms' })
  within2500Us!: number;

  @IntegerColumn({ name: 'within_5_ms' })
  within5Ms!: number;

  @IntegerColumn({ name: 'within_10_ms' })
  within10Ms!: number;

  @IntegerColumn({ name: 'within_25_ms' })
  within25Ms!: number;

  @IntegerColumn({ name: 'within_50_ms' })
  within50Ms!: number;

  @IntegerColumn({ name: 'within_100_ms' })
  within100Ms!: number;

  @IntegerColumn({ name: 'within_250_ms' })
  within250Ms!: number;

  @IntegerColumn({ name: 'within_500_ms' })
  within500Ms!: number;

  @IntegerColumn({ name: 'within_1_s' })
  within1S!: number;

  @IntegerColumn({ name: 'within_2_5_s' })
  within2500Ms!: number;

  @IntegerColumn({ name: 'within_5_s' })
  within5S!: number;
}
