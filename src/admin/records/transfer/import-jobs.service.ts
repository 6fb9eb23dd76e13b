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
interface WorkOnImport<Args extends object> {
  readonly args: Type<Args>;
  readonly members: Args;
  /** Columns of the import to change once the job has it. */
  readonly changes?: ImportChanges;
}

/** Lets one job at a time work on an import, to add its rows or to undo it. */
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

  /** Starts a job in the background, in place of the last one of an import that no process works on. @returns the run of the job */
  async start<Args extends object>(
    { id, job: last }: ImportRun,
    { args, members, changes }: WorkOnImport<Args>,
  ): Promise<bigint> {
    const job = await this.jobs.start(args, members);
    if (last !== null) await this.stored.stop(last, `Run ${job} is about the same import.`);
    await this.ledger.change(id, { ...changes, job });
    return job;
  }

  /** {@link start Starts} a job that this process does by {@link runHere}. @returns the run of the job */
  async startHere<Args extends object>(run: ImportRun, job: WorkOnImport<Args>): Promise<bigint> {
    const started = await this.start(run, job);
    await this.runner.hold(started);
    return started;
  }

  /**
   * Does the work of a run of a job.
   *
   * @param name of the work, for errors
   * @throws ImportStoppedError or ImportTakenOverError
   */
  async runHere<Result>(
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
