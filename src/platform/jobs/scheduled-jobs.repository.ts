import { Injectable } from '@nestjs/common';
import { DataSource, In } from 'typeorm';
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

  /** All that any version has run, by name. */
  list(): Promise<ScheduledJob[]> {
    return this.jobs.find({ order: { name: 'ASC' } });
  }

  /** Notes when a job runs next; of one that is known, only when its schedule is another. */
  async plan(name: string, schedule: string, dueAt: Date): Promise<void> {
    const query = this.jobs.createQueryBuilder();
    await query.insert().values({ name, schedule, dueAt }).orIgnore().updateEntity(false).execute();
    await query
      .update()
      .set({ schedule, dueAt })
      .where('"name" = :name AND "schedule" <> :schedule', { name, schedule })
      .execute();
  }

  /**
   * Takes a job that is due, unless another process has.
   *
   * @param dueAt when it was seen to be due
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

  /** Keeps jobs from others for longer. */
  async renew(names: readonly string[], lockedBy: string, lockedUntil: Date): Promise<void> {
    await this.jobs.update({ name: In([...names]), lockedBy }, { lockedUntil });
  }

  /** Notes how a job went and when it runs next, unless another process has taken it over. */
  async finish(
    name: string,
    lockedBy: string,
    outcome: Readonly<Pick<ScheduledJob, 'dueAt' | 'finishedAt' | 'error'>>,
  ): Promise<void> {
    await this.jobs.update({ name, lockedBy }, { ...outcome, lockedBy: null, lockedUntil: null });
  }

  /** Has a job run now. @returns whether there is one */
  async runNow(name: string): Promise<boolean> {
    const dueAt = await this.clock.now();
    const { affected } = await this.jobs.update({ name }, { dueAt });
    return affected === 1;
  }
}
