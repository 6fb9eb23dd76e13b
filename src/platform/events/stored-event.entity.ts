import { Entity, Index } from 'typeorm';
import { GeneratedInt64Key, InstantColumn, IntegerColumn, TextColumn } from '../database/column-types';

/** An event that one handler has still to hear of. It is deleted once the handler has succeeded. */
@Entity('stored_events')
@Index('idx_stored_events_failed_at', ['failedAt', 'id'])
@Index('idx_stored_events_subject', ['consumer', 'subject', 'id'])
export class StoredEvent {
  @GeneratedInt64Key('pk_stored_events')
  id!: bigint;

  /** The name of its class, for people. */
  @TextColumn()
  event!: string;

  /** As `Mails.welcome(PetCreated)`. */
  @TextColumn()
  handler!: string;

  /** The class of the handler. */
  @TextColumn()
  consumer!: string;

  /** What the event is about; a consumer gets those of one subject one after the other. */
  @TextColumn({ nullable: true })
  subject!: string | null;

  @TextColumn()
  payload!: string;

  @InstantColumn({ name: 'published_at' })
  publishedAt!: Date;

  /** How often the handler was begun. */
  @IntegerColumn()
  attempts!: number;

  /** When the handler is to be called next. */
  @InstantColumn({ name: 'due_at' })
  dueAt!: Date;

  /** The process that is at it. */
  @TextColumn({ nullable: true, name: 'locked_by' })
  lockedBy!: string | null;

  /** When that process counts as dead. */
  @InstantColumn({ nullable: true, name: 'locked_until' })
  lockedUntil!: Date | null;

  /** What the handler threw last. */
  @TextColumn({ nullable: true })
  error!: string | null;

  /** Since when it is not tried any more; an operator decides. */
  @InstantColumn({ nullable: true, name: 'failed_at' })
  failedAt!: Date | null;
}
