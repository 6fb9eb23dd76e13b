import { Entity, Index } from 'typeorm';
import { GeneratedInt64Key, InstantColumn, Int64Column, TextColumn } from '../database/column-types';

/**
 * One change by an operator, as recorded. Rows are added, overwritten only where an erasure that is recorded erases their values,
 * and removed only at the end of their retention period; the database refuses anything else.
 */
@Entity('audit_events')
@Index('idx_audit_events_subject_id', ['subjectType', 'subjectId', 'id'])
@Index('idx_audit_events_actor_id', ['actor', 'id'])
@Index('idx_audit_events_at', ['at'])
@Index('idx_audit_events_whole_id', ['whole', 'id'])
export class AuditEvent {
  @GeneratedInt64Key('pk_audit_events')
  id!: bigint;

  @InstantColumn()
  at!: Date;

  /** As {@link Actor.name}. */
  @TextColumn()
  actor!: string;

  /** As {@link Actor.personName}; null unless the actor is a person of an OIDC provider. */
  @TextColumn({ name: 'actor_name', nullable: true })
  actorName!: string | null;

  /** Action, such as `pets.update`. */
  @TextColumn()
  action!: string;

  /** Type of the subject, such as `pets`. */
  @TextColumn({ name: 'subject_type' })
  subjectType!: string;

  /** Id of the subject among those of its type. */
  @TextColumn({ name: 'subject_id' })
  subjectId!: string;

  /** The subject before, as JSON; null if it was created. Never a secret. */
  @TextColumn({ nullable: true })
  before!: string | null;

  /** The subject after, as JSON; null if it was deleted. Never a secret. */
  @TextColumn({ nullable: true })
  after!: string | null;

  @TextColumn({ name: 'request_id', nullable: true })
  requestId!: string | null;

  /** IP address of the client. */
  @TextColumn({ nullable: true })
  address!: string | null;

  /**
   * Id of the event that stands for the bulk change or the import to which this one belongs: the first about all its records, or
   * about a part of them. Null for that event itself, and for a change that belongs to none.
   */
  @Int64Column({ nullable: true })
  whole!: bigint | null;
}
