import { Entity, Index, PrimaryColumn } from 'typeorm';
import { InstantColumn } from '../../../platform/database/column-types';

/** A form, or a message of the OIDC provider, that has been carried out, so that a repetition has no effect. */
@Entity('admin_sent_forms')
@Index('idx_admin_sent_forms_sent_at', ['sentAt'])
export class SentForm {
  /**
   * The random name of the form, as written into the page; for a sign-in or a logout by OIDC, a name that begins with that
   * word.
   */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_admin_sent_forms' })
  id!: string;

  @InstantColumn({ name: 'sent_at' })
  sentAt!: Date;
}
