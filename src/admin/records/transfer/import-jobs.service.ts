import { Injectable } from '@nestjs/common';
import type { JobRun } from '../../../platform/jobs/job-run';
import { JobRunner } from '../../../platform/jobs/job-runner.service';
import { JobInterruption } from '../../../platform/jobs/running-job';
import { StoredRunsRepository } from '../../../platform/jobs/stored-runs.repository';
import { ImportStoppedError, ImportTakenOverError } from './transfer.errors';

/** Result of some work, and whether all is done. */
interface Outcome<Result> {
  readonly result: Result;
  readonly isFinished: boolean;
}

/** Runs imports, and their undo, in the process that was asked for it. */
@Injectable()
export class ImportJobs {
  constructor(
    private readonly runner: JobRunner,
    private readonly stored: StoredRunsRepository,
  ) {}

  /**
   * Does the work of a run that this process holds.
   *
   * @param name of the work, for errors
   * @throws ImportStoppedError or ImportTakenOverError
   */
  async inThisProcess<Result>(
    id: bigint,
    name: string,
    work: (run: JobRun) => Promise<Outcome<Result>>,
  ): Promise<Result> {
    const results: Result[] = [];
    try {
      await this.runner.runHere(id, async (run) => {
        const { result, isFinished } = await work(run);
        results.push(result);
        return isFinished;
      });
    } catch (error) {
      if (!(error instanceof JobInterruption)) throw error;
      const stored = await this.stored.findOne(id);
      throw stored?.state === 'stopped' ? new ImportStoppedError(name) : new ImportTakenOverError(name);
    }
    return results[0] as Result;
  }
}
