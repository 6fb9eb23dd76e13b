import { Entity, Index, PrimaryColumn } from 'typeorm';
import { InstantColumn } from '../../../platform/database/column-types';

/** A form, or what the OIDC provider has sent, that has been carried out, so that a repetition does not do it twice. */
@Entity('admin_sent_forms')
@Index('idx_admin_sent_forms_sent_at', ['sentAt'])
export class SentForm {
  /** The random name of the form, as it was written into the page; what the provider sent has one that begins with what it is. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_admin_sent_forms' })
  id!: string;

  @InstantColumn({ name: 'sent_at' })
  sentAt!: Date;
}
