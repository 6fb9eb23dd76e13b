import { Entity, PrimaryColumn } from 'typeorm';
import { InstantColumn, TextColumn } from '../database/column-types';

/** Work that has its time: when it runs next, and how it went. */
@Entity('scheduled_jobs')
export class ScheduledJob {
  /** As `Reports.sendMonthly`. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_scheduled_jobs' })
  name!: string;

  /** With its time zone. What runs next is worked out anew when it has changed. */
  @TextColumn()
  schedule!: string;

  @InstantColumn({ name: 'due_at' })
  dueAt!: Date;

  /** The process that runs it. */
  @TextColumn({ nullable: true, name: 'locked_by' })
  lockedBy!: string | null;

  /** When that process counts as dead. */
  @InstantColumn({ nullable: true, name: 'locked_until' })
  lockedUntil!: Date | null;

  @InstantColumn({ nullable: true, name: 'started_at' })
  startedAt!: Date | null;

  @InstantColumn({ nullable: true, name: 'finished_at' })
  finishedAt!: Date | null;

  /** What it threw last; null when it went well. */
  @TextColumn({ nullable: true })
  error!: string | null;
}
