import { Entity, Index, PrimaryColumn } from 'typeorm';
import { DoubleColumn, INT64, InstantColumn, IntegerColumn, TextColumn } from '../database/column-types';
import type { Outcome } from './outcome';

/** One request, as it ended. The only text here that the client chose is the id of the request. */
@Entity('request_log')
@Index('idx_request_log_request_id_id', ['requestId', 'id'])
@Index('idx_request_log_address_id', ['address', 'id'])
@Index('idx_request_log_code_id', ['code', 'id'])
@Index('idx_request_log_key_id_id', ['keyId', 'id'])
@Index('idx_request_log_outcome_id', ['outcome', 'id'])
@Index('idx_request_log_route_id', ['route', 'id'])
export class LoggedRequest {
  /** Id that ascends with the time, over all nodes (see `LoggedRequestIds`). */
  @PrimaryColumn({ ...INT64, primaryKeyConstraintName: 'pk_request_log' })
  id!: bigint;

  /** Time at which the request ended. */
  @InstantColumn()
  at!: Date;

  /** The request's `X-Request-Id`. A client may use one for several requests. */
  @TextColumn({ name: 'request_id' })
  requestId!: string;

  /** Id of the trace that the request belongs to; null without `traceparent` and without a collector. */
  @TextColumn({ name: 'trace_id', nullable: true })
  traceId!: string | null;

  /** Id of the API key; null if none was accepted. */
  @TextColumn({ name: 'key_id', nullable: true })
  keyId!: string | null;

  /** Method; null if the bytes were not a well-formed request. */
  @TextColumn({ nullable: true })
  method!: string | null;

  /** Path template, `/v1/pets/{petId}`; null when no route matched. Never the path: a client may put its key there. */
  @TextColumn({ nullable: true })
  route!: string | null;

  /** Status of the response; null without one. */
  @IntegerColumn({ nullable: true })
  status!: number | null;

  @TextColumn()
  outcome!: Outcome;

  /** Code of the error in the response. */
  @TextColumn({ nullable: true })
  code!: string | null;

  /** Message of that error. */
  @TextColumn({ nullable: true })
  message!: string | null;

  /** Milliseconds from the arrival to the last byte handed to the system, or to the loss of the connection. */
  @DoubleColumn({ name: 'duration_ms' })
  durationMs!: number;

  /** Milliseconds of that before the service began with it, at most; null if not measured. */
  @DoubleColumn({ name: 'wait_ms', nullable: true })
  waitMs?: number | null;

  /** Steps and statements, as the JSON text of a `TimelineView`; null if they were not kept. */
  @TextColumn({ nullable: true })
  timeline?: string | null;

  /** IP address of the client. */
  @TextColumn({ nullable: true })
  address!: string | null;

  /** Name of the machine, or of the container, that served the request. */
  @TextColumn()
  node!: string;
}
