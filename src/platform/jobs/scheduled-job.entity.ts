import { Entity, PrimaryColumn } from 'typeorm';
import { InstantColumn, TextColumn } from '../database/column-types';

/** A scheduled job: its next run, and the outcome of the last. */
@Entity('scheduled_jobs')
export class ScheduledJob {
  /** Class and method, such as `Reports.sendMonthly`. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_scheduled_jobs' })
  name!: string;

  /** Pattern with its time zone. The next run is worked out anew when this has changed. */
  @TextColumn()
  schedule!: string;

  @InstantColumn({ name: 'due_at' })
  dueAt!: Date;

  /** Process that runs the job. */
  @TextColumn({ nullable: true, name: 'locked_by' })
  lockedBy!: string | null;

  /** Time after which that process counts as dead. */
  @InstantColumn({ nullable: true, name: 'locked_until' })
  lockedUntil!: Date | null;

  @InstantColumn({ nullable: true, name: 'started_at' })
  startedAt!: Date | null;

  @InstantColumn({ nullable: true, name: 'finished_at' })
  finishedAt!: Date | null;

  /** Error of the last run; null when it went well. */
  @TextColumn({ nullable: true })
  error!: string | null;
}
