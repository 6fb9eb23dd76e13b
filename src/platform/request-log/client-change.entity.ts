import { Entity, Index, PrimaryColumn } from 'typeorm';
import { TextColumn } from '../database/column-types';

/** What a request does to a record, in the words of the audit log. */
export type RecordVerb = 'create' | 'update' | 'remove';

const PRIMARY_KEY = 'pk_client_changes';

const int64 = { to: (id: unknown) => id, from: BigInt };

/** What a request of a client did to a record. Nothing here is a text that the client chose but for the id it gave the request. */
@Entity('client_changes')
@Index('idx_client_changes_id', ['id'])
export class ClientChange {
  /** The kind of the record, as `pets`. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: PRIMARY_KEY })
  kind!: string;

  @PrimaryColumn({
    type: 'bigint',
    name: 'record_id',
    primaryKeyConstraintName: PRIMARY_KEY,
    transformer: int64,
  })
  recordId!: bigint;

  /** Ascending with the time, as that of a request (see `LoggedRequestIds`): two nodes may give the same one to two records. */
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: PRIMARY_KEY, transformer: int64 })
  id!: bigint;

  @TextColumn()
  verb!: RecordVerb;

  /** The operationId, as `createPet`. */
  @TextColumn()
  operation!: string;

  /** Id of the API key; null on operations that need none. */
  @TextColumn({ name: 'key_id', nullable: true })
  keyId!: string | null;

  /** Its `X-Request-Id`. */
  @TextColumn({ name: 'request_id' })
  requestId!: string;

  /** IP address of the client. */
  @TextColumn({ nullable: true })
  address!: string | null;
}
