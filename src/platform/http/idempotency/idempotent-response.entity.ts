import { Entity, Index, PrimaryColumn } from 'typeorm';
import { InstantColumn, IntegerColumn, TextColumn } from '../../database/column-types';

const PRIMARY_KEY = 'pk_idempotent_answers';

/** The response to a request with an idempotency key, kept for its repetitions. */
@Entity('idempotent_answers')
@Index('idx_idempotent_answers_created_at', ['createdAt'])
export class IdempotentResponse {
  /** Owner of the key: the first of a chain of rotated API keys, so that a rotation does not lose the response. */
  @PrimaryColumn({ type: 'text', name: 'lineage_id', primaryKeyConstraintName: PRIMARY_KEY })
  lineageId!: string;

  /** Method and route, and a hash of the path where the route has parameters. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: PRIMARY_KEY })
  operation!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: PRIMARY_KEY })
  key!: string;

  /** SHA-256 of the query, if there is one, and of the body, byte for byte, in base64url. */
  @TextColumn()
  fingerprint!: string;

  @IntegerColumn()
  status!: number;

  @TextColumn()
  body!: string;

  @TextColumn({ nullable: true })
  location!: string | null;

  @InstantColumn({ name: 'created_at' })
  createdAt!: Date;
}
