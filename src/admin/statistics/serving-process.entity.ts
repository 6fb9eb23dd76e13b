import { Entity, Index, PrimaryColumn } from 'typeorm';
import { InstantColumn, IntegerColumn, TextColumn } from '../../platform/database/column-types';

/** A process that serves or has served. */
@Entity('serving_processes')
@Index('idx_serving_processes_seen_at', ['seenAt'])
export class ServingProcess {
  /** A UUID, new for each start. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_serving_processes' })
  id!: string;

  /** Name of the machine, or of the container. */
  @TextColumn()
  host!: string;

  @IntegerColumn()
  pid!: number;

  /** Version of the service. */
  @TextColumn()
  version!: string;

  @TextColumn({ name: 'node_version' })
  nodeVersion!: string;

  @InstantColumn({ name: 'started_at' })
  startedAt!: Date;

  /** Time at which it last reported that it is there, by its own clock. */
  @InstantColumn({ name: 'seen_at' })
  seenAt!: Date;

  /** Time at which it stopped properly; null while it serves, and for ever if it was killed. */
  @InstantColumn({ name: 'left_at', nullable: true })
  leftAt!: Date | null;
}
