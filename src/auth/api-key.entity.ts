import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { InstantColumn, IntegerColumn, TextColumn } from '../platform/database/column-types';

/** One API key, as stored: the token itself is not. */
@Entity('api_keys')
@Unique('uq_api_keys_token_hash', ['tokenHash'])
@Index('idx_api_keys_lineage_id', ['lineageId'])
export class ApiKey {
  /** `key_` and 16 hexadecimal digits; safe to log and to show. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_api_keys' })
  id!: string;

  /** SHA-256 of the token, lower-case hexadecimal. */
  @TextColumn({ name: 'token_hash' })
  tokenHash!: string;

  /** Part of the token by which people recognise it. */
  @Index('idx_api_keys_hint_id', { synchronize: false })
  @TextColumn()
  hint!: string;

  @Index('idx_api_keys_name_id', { synchronize: false })
  @TextColumn()
  name!: string;

  @TextColumn({ nullable: true })
  owner!: string | null;

  @Column({ type: 'simple-array' })
  scopes!: string[];

  /** Id of the first key of a chain of rotations. The data of a client belongs to its lineage. */
  @TextColumn({ name: 'lineage_id' })
  lineageId!: string;

  @InstantColumn({ name: 'created_at' })
  createdAt!: Date;

  @InstantColumn({ name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  /** Time at which an operator disabled the key. It is refused until an operator enables it again. */
  @InstantColumn({ name: 'disabled_at', nullable: true })
  disabledAt!: Date | null;

  @InstantColumn({ name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;

  @InstantColumn({ name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;

  /** Networks it may be used from, in CIDR notation; null for anywhere. */
  @Column({ type: 'simple-array', nullable: true })
  networks!: string[] | null;

  /** Requests it may make in a minute, in place of the common limit. */
  @IntegerColumn({ name: 'limit_per_minute', nullable: true })
  limitPerMinute!: number | null;

  /** Requests it may make in a month of the calendar in UTC. */
  @IntegerColumn({ name: 'quota_per_month', nullable: true })
  quotaPerMonth!: number | null;

  /** Time at which it will be disabled because it is not used. */
  @InstantColumn({ name: 'disables_at', nullable: true })
  disablesAt!: Date | null;
}
