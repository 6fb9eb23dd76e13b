import { Injectable } from '@nestjs/common';
import { DataSource, In, LessThan, Not } from 'typeorm';
import { DatabaseClock } from '../database/database-clock';
import type { Lease } from './claimed-work';
import { ScheduledJob } from './scheduled-job.entity';

/** Scheduled jobs in the database. */
@Injectable()
export class ScheduledJobsRepository {
  private readonly jobs = this.dataSource.getRepository(ScheduledJob);

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: DatabaseClock,
  ) {}

  /** Returns all jobs that any version has run, by name. */
  list(): Promise<ScheduledJob[]> {
    return this.jobs.find({ order: { name: 'ASC' } });
  }

  /** Stores the next run of a job; changes that of a known job only if its schedule has changed. */
  async plan(name: string, schedule: string, dueAt: Date): Promise<void> {
    const query = this.jobs.createQueryBuilder();
    await query.insert().values({ name, schedule, dueAt }).orIgnore().updateEntity(false).execute();
    await query
      .update()
      .set({ schedule, dueAt })
      .where('"name" = :name AND "schedule" <> :schedule', { name, schedule })
      .execute();
  }

  /** Sets an earlier next run of a job, unless another process has set one. */
  async advance(name: string, from: Date, dueAt: Date): Promise<void> {
    await this.jobs.update({ name, dueAt: from }, { dueAt });
  }

  /**
   * Takes a job that is due, unless another process has.
   *
   * @param dueAt due time that this process has read
   */
  async claim(name: string, dueAt: Date, { lockedBy, lockedUntil, now }: Lease): Promise<boolean> {
    const { affected } = await this.jobs
      .createQueryBuilder()
      .update()
      .set({ lockedBy, lockedUntil, startedAt: now })
      .where('"name" = :name AND "due_at" = :dueAt', { name, dueAt })
      .andWhere('("locked_until" IS NULL OR "locked_until" < :now)', { now })
      .execute();
    return affected === 1;
  }

  /** Extends the leases of running jobs. */
  async renew(names: readonly string[], lockedBy: string, lockedUntil: Date): Promise<void> {
    await this.jobs.update({ name: In([...names]), lockedBy }, { lockedUntil });
  }

  /**
   * Stores the outcome of a job and its next run, unless another process has taken it over. A next run that was set meanwhile stays.
   *
   * @param claimed due time of the run that has ended
   */
  async finish(
    name: string,
    lockedBy: string,
    claimed: Date,
    { dueAt, ...outcome }: Readonly<Pick<ScheduledJob, 'dueAt' | 'finishedAt' | 'error'>>,
  ): Promise<void> {
    await this.jobs.update({ name, lockedBy, dueAt: claimed }, { dueAt });
    await this.jobs.update({ name, lockedBy }, { ...outcome, lockedBy: null, lockedUntil: null });
  }

  /** Deletes jobs that no version has run since their next run was due. */
  async forget(known: Iterable<string>, dueBefore: Date): Promise<void> {
    await this.jobs.delete({ name: Not(In([...known])), dueAt: LessThan(dueBefore) });
  }

  /** Makes a job due now. @returns true if there is such a job */
  async runNow(name: string): Promise<boolean> {
    const dueAt = await this.clock.now();
    const { affected } = await this.jobs.update({ name }, { dueAt });
    return affected === 1;
  }
}
