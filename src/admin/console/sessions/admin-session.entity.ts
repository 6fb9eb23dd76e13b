import { Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { InstantColumn, TextColumn } from '../../../platform/database/column-types';

/** A person who is signed in to the console with a browser; the token in the browser's cookie is not stored. */
@Entity('admin_sessions')
@Unique('uq_admin_sessions_token_hash', ['tokenHash'])
@Index('idx_admin_sessions_lineage_id', ['lineageId'])
@Index('idx_admin_sessions_last_seen_at', ['lastSeenAt'])
export class AdminSession {
  /** `ses_` and 16 hexadecimal digits; safe to log and to show. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_admin_sessions' })
  id!: string;

  /** SHA-256 of the token, lower-case hexadecimal. */
  @TextColumn({ name: 'token_hash' })
  tokenHash!: string;

  /** The API key that was signed in with. */
  @TextColumn({ name: 'key_id' })
  keyId!: string;

  /** The first key of its chain of rotations. */
  @TextColumn({ name: 'lineage_id' })
  lineageId!: string;

  @InstantColumn({ name: 'created_at' })
  createdAt!: Date;

  /** Moved forward once a minute at most. */
  @InstantColumn({ name: 'last_seen_at' })
  lastSeenAt!: Date;

  /** IP address it was begun from. */
  @TextColumn()
  address!: string;

  /** What the browser called itself then, cut to 300 characters. */
  @TextColumn({ name: 'user_agent' })
  userAgent!: string;

  /** What the next page is to show, as JSON of a Notice; null when there is nothing. */
  @TextColumn({ nullable: true })
  notice!: string | null;

  /** What its page is to show again, as JSON of a StoredForm; null when there is nothing. */
  @TextColumn({ name: 'kept_form', nullable: true })
  storedForm!: string | null;
}
