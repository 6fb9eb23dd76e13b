import { Entity, PrimaryColumn } from 'typeorm';
import { InstantColumn, TextColumn } from '../database/column-types';

/** A mode that an operator has switched on for all nodes. The row is there as long as the mode is on. */
@Entity('service_modes')
export class ServiceMode {
  /** Name of the mode: `read-only`, or `paused` and the name of a scheduled job. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_service_modes' })
  name!: string;

  @InstantColumn()
  since!: Date;

  /** Actor that switched the mode on, as in the audit log. */
  @TextColumn()
  actor!: string;

  @TextColumn({ nullable: true })
  reason!: string | null;
}
