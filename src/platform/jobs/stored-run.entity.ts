import { Entity, Index } from 'typeorm';
import {
  GeneratedInt64Key,
  InstantColumn,
  Int64Column,
  IntegerColumn,
  TextColumn,
} from '../database/column-types';

/**
 * States of a run. A process runs a `waiting` one while it has a lease of it; it ends a `stopped` one at its next step, and keeps
 * its lease until then.
 */
export const RUN_STATES = ['waiting', 'stopped', 'failed', 'finished'] as const;

export type RunState = (typeof RUN_STATES)[number];

/** A run of a job: what it was started with, and how far it is. */
@Entity('job_runs')
@Index('idx_job_runs_state_due_at_id', ['state', 'dueAt', 'id'])
@Index('idx_job_runs_ended_at', ['endedAt'])
export class StoredRun {
  @GeneratedInt64Key('pk_job_runs')
  id!: bigint;

  /** Class and method, such as `Shipping.ship`. */
  @TextColumn()
  job!: string;

  /** JSON of the arguments. */
  @TextColumn()
  arguments!: string;

  /** The {@link Actor} who has started it, as JSON. */
  @TextColumn()
  actor!: string;

  @TextColumn()
  state!: RunState;

  /** Attempts begun since the last progress. */
  @IntegerColumn()
  attempts!: number;

  @InstantColumn({ name: 'created_at' })
  createdAt!: Date;

  /** Time of the next attempt. */
  @InstantColumn({ name: 'due_at' })
  dueAt!: Date;

  /** Time of the last progress. */
  @InstantColumn({ nullable: true, name: 'advanced_at' })
  advancedAt!: Date | null;

  /** Time since which it is finished, failed or stopped. */
  @InstantColumn({ nullable: true, name: 'ended_at' })
  endedAt!: Date | null;

  /** Process that runs it. */
  @TextColumn({ nullable: true, name: 'locked_by' })
  lockedBy!: string | null;

  /** Time after which that process counts as dead. */
  @InstantColumn({ nullable: true, name: 'locked_until' })
  lockedUntil!: Date | null;

  /** JSON of the position from which the next attempt goes on; null before the first step. */
  @TextColumn({ nullable: true })
  cursor!: string | null;

  @Int64Column({ nullable: true })
  done!: bigint | null;

  @Int64Column({ nullable: true })
  total!: bigint | null;

  /** Last error of the job. */
  @TextColumn({ nullable: true })
  error!: string | null;
}
