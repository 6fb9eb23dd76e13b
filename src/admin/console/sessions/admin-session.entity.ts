import { Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { InstantColumn, TextColumn } from '../../../platform/database/column-types';

/** The session of a person who is signed in to the console with a browser. The token itself is not stored. */
@Entity('admin_sessions')
@Unique('uq_admin_sessions_token_hash', ['tokenHash'])
@Index('idx_admin_sessions_lineage_id', ['lineageId'])
@Index('idx_admin_sessions_last_seen_at', ['lastSeenAt'])
export class AdminSession {
  /** The id: `ses_` and 16 hexadecimal digits; safe to log and to show. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_admin_sessions' })
  id!: string;

  /** SHA-256 of the token, lower-case hexadecimal. */
  @TextColumn({ name: 'token_hash' })
  tokenHash!: string;

  /**
   * The person who is signed in, by the name of actors in the audit log: `key_…` for an API key, `oidc:<subject>` for a person.
   */
  @TextColumn({ name: 'key_id' })
  actor!: string;

  /**
   * The first key in the chain of rotations; for a person, the actor again. Sessions with the same lineage can be ended
   * together.
   */
  @TextColumn({ name: 'lineage_id' })
  lineageId!: string;

  /**
   * The OIDC provider by which a person signed in; null for an API key, like `personName`, `scopes`, `providerSession` and
   * `sealedTokens`.
   */
  @TextColumn({ nullable: true })
  issuer!: string | null;

  /** The name of the person at the provider. */
  @TextColumn({ name: 'person_name', nullable: true })
  personName!: string | null;

  /** Scopes of the person, separated by spaces, from the groups at the time of the last check with the provider. */
  @TextColumn({ nullable: true })
  scopes!: string | null;

  /** The person's session at the provider (`sid`), which the provider may end; null if the provider names no session. */
  @TextColumn({ name: 'provider_session', nullable: true })
  providerSession!: string | null;

  /** The tokens of the provider, encrypted by `sealTokens`: only the browser's own token decrypts them. */
  @TextColumn({ name: 'sealed_tokens', nullable: true })
  sealedTokens!: string | null;

  /** Time at which the provider last said that the person is in these groups; at first, that of the sign-in. */
  @InstantColumn({ name: 'checked_at', nullable: true })
  checkedAt!: Date | null;

  /**
   * Time at which a process last began to ask the provider, or a little earlier once the provider is found away; at first, that
   * of the sign-in.
   */
  @InstantColumn({ name: 'check_begun_at', nullable: true })
  checkBegunAt!: Date | null;

  @InstantColumn({ name: 'created_at' })
  createdAt!: Date;

  /** Time of the last use, updated at most once a minute. */
  @InstantColumn({ name: 'last_seen_at' })
  lastSeenAt!: Date;

  /** IP address at the sign-in. */
  @TextColumn()
  address!: string;

  /** User-Agent at the sign-in, cut to 300 characters. */
  @TextColumn({ name: 'user_agent' })
  userAgent!: string;

  /** The notice for the next page, as JSON of a Notice, if any. */
  @TextColumn({ nullable: true })
  notice!: string | null;

  /** The form that its page is to show again, as JSON of a StoredForm, if any. */
  @TextColumn({ name: 'kept_form', nullable: true })
  storedForm!: string | null;
}
