import { Injectable, type Type } from '@nestjs/common';
import type { JobRun } from '../../../platform/jobs/job-run';
import { JobRunner, type WorkDone } from '../../../platform/jobs/job-runner.service';
import { Jobs } from '../../../platform/jobs/jobs';
import { JobInterruption } from '../../../platform/jobs/running-job';
import { StoredRunsRepository } from '../../../platform/jobs/stored-runs.repository';
import { type ImportChanges, ImportLedger } from './import-ledger.repository';
import type { ImportRun } from './import-run.entity';
import { ImportStoppedError, ImportTakenOverError } from './transfer.errors';

/** A job that works on an import. */
interface ImportJob<Args extends object> {
  readonly args: Type<Args>;
  readonly members: Args;
  /** Columns of the import to change once the job has it. */
  readonly changes?: ImportChanges;
}

/** Lets one process at a time work on an import, to add its rows or to undo it: the one that has the run of its job. */
@Injectable()
export class ImportJobs {
  constructor(
    private readonly ledger: ImportLedger,
    private readonly jobs: Jobs,
    private readonly runner: JobRunner,
    private readonly stored: StoredRunsRepository,
  ) {}

  /** True if a process seems to work on an import. */
  async isHeld(run: ImportRun): Promise<boolean> {
    return run.job !== null && (await this.runner.isHeld(run.job));
  }

  /** Starts a job that works on an import, in the background. @returns the run of the job */
  async start<Args extends object>({ id }: ImportRun, job: ImportJob<Args>): Promise<bigint> {
    const started = await this.jobs.start(job.args, job.members);
    await this.ledger.change(id, { ...job.changes, job: started });
    return started;
  }

  /**
   * Starts a job that works on an import in this process, in the transaction in progress.
   *
   * @param last run of the job so far, which goes on unless it is over
   * @returns the run of the job; undefined if another process works on the import
   */
  async hold<Args extends object>(
    run: ImportRun,
    last: bigint | null,
    job: ImportJob<Args>,
  ): Promise<bigint | undefined> {
    const isHeld = last === null ? undefined : await this.runner.hold(last);
    if (last === null || isHeld === undefined) {
      const started = await this.start(run, job);
      return (await this.runner.hold(started)) ? started : undefined;
    }
    return isHeld ? last : undefined;
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
