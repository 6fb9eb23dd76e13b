import { Injectable, type Type } from '@nestjs/common';
import type { JobRun } from '../../../platform/jobs/job-run';
import { JobRunner, type WorkDone } from '../../../platform/jobs/job-runner.service';
import { Jobs } from '../../../platform/jobs/jobs';
import { JobInterruption } from '../../../platform/jobs/running-job';
import { StoredRunsRepository } from '../../../platform/jobs/stored-runs.repository';
import { ImportStoppedError, ImportTakenOverError } from './transfer.errors';

/** Runs imports, and their undo, in the process that was asked for it: one at a time has the run of the job. */
@Injectable()
export class ImportJobs {
  constructor(
    private readonly jobs: Jobs,
    private readonly runner: JobRunner,
    private readonly stored: StoredRunsRepository,
  ) {}

  /**
   * Takes the run of a job for this process, in the transaction in progress; starts another one if it is over.
   *
   * @param last run of the job so far
   * @returns the run; undefined if another process has it
   */
  async hold<Args extends object>(
    last: bigint | null,
    args: Type<Args>,
    members: Args,
  ): Promise<bigint | undefined> {
    const isHeld = last === null ? undefined : await this.runner.hold(last);
    if (last !== null && isHeld !== undefined) return isHeld ? last : undefined;
    const started = await this.jobs.start(args, members);
    return (await this.runner.hold(started)) ? started : undefined;
  }

  /** True if a process seems to have the run of a job. */
  async isHeld(job: bigint | null): Promise<boolean> {
    return job !== null && this.runner.isHeld(job);
  }

  /**
   * Does the work of a run that this process holds.
   *
   * @param name of the work, for errors
   * @throws ImportStoppedError or ImportTakenOverError
   */
  async inThisProcess<Result>(
    id: bigint,
    name: string,
    work: (run: JobRun) => Promise<WorkDone<Result>>,
  ): Promise<Result> {
    try {
      return await this.runner.runHere(id, work);
    } catch (error) {
      if (!(error instanceof JobInterruption)) throw error;
      const stored = await this.stored.findOne(id);
      throw stored?.state === 'stopped' ? new ImportStoppedError(name) : new ImportTakenOverError(name);
    }
  }
}
