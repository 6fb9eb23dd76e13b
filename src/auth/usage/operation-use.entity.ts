import { Entity, PrimaryColumn } from 'typeorm';
import { InstantColumn, Int64Column } from '../../platform/database/column-types';

/** Calls of one operation by one key since the key was made. */
@Entity('operation_uses')
export class OperationUse {
  @PrimaryColumn({ type: 'text', name: 'key_id', primaryKeyConstraintName: 'pk_operation_uses' })
  keyId!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_operation_uses' })
  operation!: string;

  @Int64Column()
  count!: bigint;

  @InstantColumn({ name: 'last_used_at' })
  lastUsedAt!: Date;
}
