import { CreateDateColumn, Entity, Index, UpdateDateColumn } from 'typeorm';
import { GeneratedInt64Key } from '../../../src/platform/database/column-types';

/** A row whose times TypeORM and the database set. */
@Entity('visits')
@Index('idx_visits_begun_at_id', ['begunAt', 'id'])
@Index('idx_visits_changed_at_id', ['changedAt', 'id'])
export class Visit {
  @GeneratedInt64Key('pk_visits')
  id!: bigint;

  @CreateDateColumn({ name: 'begun_at' })
  begunAt!: Date;

  @UpdateDateColumn({ name: 'changed_at' })
  changedAt!: Date;
}
