import { Entity, Index, PrimaryColumn } from 'typeorm';
import { InstantColumn } from '../../../platform/database/column-types';

/** A form that has been carried out, so that a reload or a second click does not do it twice. */
@Entity('admin_sent_forms')
@Index('idx_admin_sent_forms_sent_at', ['sentAt'])
export class SentForm {
  /** The random name of the form, as it was written into the page. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_admin_sent_forms' })
  id!: string;

  @InstantColumn({ name: 'sent_at' })
  sentAt!: Date;
}
