import { Entity, Index, PrimaryColumn } from 'typeorm';
import { INT64, TextColumn } from '../database/column-types';

/** Change of a record by a request, in the words of the audit log. */
export type RecordVerb = 'create' | 'update' | 'remove';

const PRIMARY_KEY = 'pk_client_changes';

/** A change of a record by a client's request. The only text here that the client chose is the id of the request. */
@Entity('client_changes')
@Index('idx_client_changes_id', ['id'])
export class ClientChange {
  /** Type of the record, such as `pets`. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: PRIMARY_KEY })
  kind!: string;

  @PrimaryColumn({ ...INT64, name: 'record_id', primaryKeyConstraintName: PRIMARY_KEY })
  recordId!: bigint;

  /**
   * Id that ascends with the time, like that of a request (see `LoggedRequestIds`): two nodes may give the same one to two
   * records.
   */
  @PrimaryColumn({ ...INT64, primaryKeyConstraintName: PRIMARY_KEY })
  id!: bigint;

  @TextColumn()
  verb!: RecordVerb;

  /** The operationId, such as `createPet`. */
  @TextColumn()
  operation!: string;

  /** Id of the API key; null on operations that need none. */
  @TextColumn({ name: 'key_id', nullable: true })
  keyId!: string | null;

  /** The request's `X-Request-Id`. */
  @TextColumn({ name: 'request_id' })
  requestId!: string;

  /** IP address of the client. */
  @TextColumn({ nullable: true })
  address!: string | null;
}
