import { Entity, PrimaryColumn, Unique } from 'typeorm';
import { Int64Column, InstantColumn, TextColumn } from '../../../platform/database/column-types';

/** The link of one audit event in the chain. Rows are only added, or removed together with their events. */
@Entity('audit_seals')
@Unique('uq_audit_seals_event_id', ['eventId'])
export class AuditSeal {
  /** Position in the chain: 1 for the first link, one more for each next. */
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'pk_audit_seals' })
  sequence!: bigint;

  @Int64Column({ name: 'event_id' })
  eventId!: bigint;

  @InstantColumn({ name: 'sealed_at' })
  sealedAt!: Date;

  /** The result of {@link hashOf}, in hexadecimal digits. */
  @TextColumn()
  hash!: string;
}
