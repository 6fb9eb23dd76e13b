import { Entity, Index, PrimaryColumn } from 'typeorm';
import { Int64Column } from '../../platform/database/column-types';

/** Calls of one operation by one key on one day. */
@Entity('operation_use_days')
@Index('idx_operation_use_days_day', ['day'])
export class OperationUseDay {
  @PrimaryColumn({ type: 'text', name: 'key_id', primaryKeyConstraintName: 'pk_operation_use_days' })
  keyId!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_operation_use_days' })
  operation!: string;

  /** The day in UTC, as `2026-01-31`. */
  @PrimaryColumn({ type: 'date', primaryKeyConstraintName: 'pk_operation_use_days' })
  day!: string;

  @Int64Column()
  count!: bigint;
}
