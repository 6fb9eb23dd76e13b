import { Entity, Index, PrimaryColumn } from 'typeorm';
import { DoubleColumn, InstantColumn, IntegerColumn, TextColumn } from '../database/column-types';
import type { Outcome } from './outcome';

/** One request, as it ended. Nothing here is a text that the client chose but for the id it gave the request. */
@Entity('request_log')
@Index('idx_request_log_request_id_id', ['requestId', 'id'])
@Index('idx_request_log_address_id', ['address', 'id'])
@Index('idx_request_log_code_id', ['code', 'id'])
@Index('idx_request_log_key_id_id', ['keyId', 'id'])
@Index('idx_request_log_outcome_id', ['outcome', 'id'])
@Index('idx_request_log_route_id', ['route', 'id'])
export class LoggedRequest {
  /** Ascending with the time, over all nodes (see `LoggedRequestIds`). */
  @PrimaryColumn({
    type: 'bigint',
    primaryKeyConstraintName: 'pk_request_log',
    transformer: { to: (id: unknown) => id, from: BigInt },
  })
  id!: bigint;

  /** When it ended. */
  @InstantColumn()
  at!: Date;

  /** Its `X-Request-Id`. A client may use one for several requests. */
  @TextColumn({ name: 'request_id' })
  requestId!: string;

  /** Of the trace it belongs to; null without `traceparent` and without a collector. */
  @TextColumn({ name: 'trace_id', nullable: true })
  traceId!: string | null;

  /** Id of the API key; null where none was accepted. */
  @TextColumn({ name: 'key_id', nullable: true })
  keyId!: string | null;

  /** Null when it was no well-formed request. */
  @TextColumn({ nullable: true })
  method!: string | null;

  /** Path template, `/v1/pets/{petId}`; null when none matched. Never the path: a client may put its key there. */
  @TextColumn({ nullable: true })
  route!: string | null;

  /** Null when there was no response. */
  @IntegerColumn({ nullable: true })
  status!: number | null;

  @TextColumn()
  outcome!: Outcome;

  /** The code of the error in the response. */
  @TextColumn({ nullable: true })
  code!: string | null;

  /** The message of that error. */
  @TextColumn({ nullable: true })
  message!: string | null;

  /** From when it came to the last byte handed to the system, or to the loss of the connection. */
  @DoubleColumn({ name: 'duration_ms' })
  durationMs!: number;

  /** For how long of that it waited before the service began with it, at most; null where that was not measured. */
  @DoubleColumn({ name: 'wait_ms', nullable: true })
  waitMs?: number | null;

  /** Its steps and statements, as the JSON text of a `TimelineView`; null where they were not kept. */
  @TextColumn({ nullable: true })
  timeline?: string | null;

  /** IP address of the client. */
  @TextColumn({ nullable: true })
  address!: string | null;

  /** Name of the machine, or of the container, that served it. */
  @TextColumn()
  node!: string;
}
