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

  /** Who is signed in, as the audit log names actors: `key_…` for an API key, `oidc:<subject>` for a person. */
  @TextColumn({ name: 'key_id' })
  actor!: string;

  /** The first key of its chain of rotations; of a person the actor again. Sessions that have it in common can be ended together. */
  @TextColumn({ name: 'lineage_id' })
  lineageId!: string;

  /** The OIDC provider that a person signed in by; null for an API key, and so is all that follows of the provider. */
  @TextColumn({ nullable: true })
  issuer!: string | null;

  /** The name of the person, as the provider tells it. */
  @TextColumn({ name: 'person_name', nullable: true })
  personName!: string | null;

  /** What the person may do by the groups it was in when the provider was asked last, separated by spaces. */
  @TextColumn({ nullable: true })
  scopes!: string | null;

  /** The session of the person at the provider (`sid`), which the provider may end; null where it tells none. */
  @TextColumn({ name: 'provider_session', nullable: true })
  providerSession!: string | null;

  /** The tokens of the provider, as `sealTokens` makes it: only the browser's own token opens it. */
  @TextColumn({ name: 'sealed_tokens', nullable: true })
  sealedTokens!: string | null;

  /** When the provider was asked last whether the person is still in these groups. */
  @InstantColumn({ name: 'checked_at', nullable: true })
  checkedAt!: Date | null;

  /** When a process began to ask it. */
  @InstantColumn({ name: 'check_begun_at', nullable: true })
  checkBegunAt!: Date | null;

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
