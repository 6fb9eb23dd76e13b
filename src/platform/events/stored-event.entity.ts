import { Entity, Index } from 'typeorm';
import { GeneratedInt64Key, InstantColumn, IntegerColumn, TextColumn } from '../database/column-types';

/** An event that one handler has still to receive. It is deleted once the handler has succeeded. */
@Entity('stored_events')
@Index('idx_stored_events_failed_at', ['failedAt', 'id'])
@Index('idx_stored_events_subject', ['consumer', 'subject', 'id'])
export class StoredEvent {
  @GeneratedInt64Key('pk_stored_events')
  id!: bigint;

  /** Name of the event's class, for people. */
  @TextColumn()
  event!: string;

  /** Name of the handler, such as `Mails.welcome(PetCreated)`. */
  @TextColumn()
  handler!: string;

  /** Class of the handler. */
  @TextColumn()
  consumer!: string;

  /** Subject of the event; a consumer gets the events of one subject one after the other. */
  @TextColumn({ nullable: true })
  subject!: string | null;

  @TextColumn()
  payload!: string;

  @InstantColumn({ name: 'published_at' })
  publishedAt!: Date;

  /** Attempts begun so far. */
  @IntegerColumn()
  attempts!: number;

  /** Time of the next attempt. */
  @InstantColumn({ name: 'due_at' })
  dueAt!: Date;

  /** Process that is delivering the event. */
  @TextColumn({ nullable: true, name: 'locked_by' })
  lockedBy!: string | null;

  /** Time after which that process counts as dead. */
  @InstantColumn({ nullable: true, name: 'locked_until' })
  lockedUntil!: Date | null;

  /** Last error of the handler. */
  @TextColumn({ nullable: true })
  error!: string | null;

  /** Time since which the event is not tried any more; an operator decides. */
  @InstantColumn({ nullable: true, name: 'failed_at' })
  failedAt!: Date | null;
}
