import { Entity, PrimaryColumn, Unique } from 'typeorm';
import { Int64Column, InstantColumn, TextColumn } from '../../../platform/database/column-types';

/** The link of one audit event in the chain. Rows are added, and removed only together with their events. */
@Entity('audit_seals')
@Unique('uq_audit_seals_event_id', ['eventId'])
export class AuditSeal {
  /** Its place in the chain: 1 of the first, one more of each next. */
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'pk_audit_seals' })
  sequence!: bigint;

  @Int64Column({ name: 'event_id' })
  eventId!: bigint;

  @InstantColumn({ name: 'sealed_at' })
  sealedAt!: Date;

  /** As {@link hashOf} makes it, in hexadecimal digits. */
  @TextColumn()
  hash!: string;
}
