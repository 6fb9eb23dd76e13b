import { Injectable } from '@nestjs/common';
import { Job } from '../../../platform/jobs/job.decorator';
import type { JobRun } from '../../../platform/jobs/job-run';
import { StoredRunsRepository } from '../../../platform/jobs/stored-runs.repository';

/** Arguments of an import. */
export class ImportFileArguments {
  readonly recordType!: string;
  /** Number of the import. */
  readonly run!: bigint;
  readonly file!: string;
}

/**
 * An import is run by the process that reads its file, which is not kept: so one whose process has ended is stopped, until the
 * file is given again.
 */
@Injectable()
export class ImportFileJob {
  constructor(private readonly runs: StoredRunsRepository) {}

  @Job(ImportFileArguments, { title: 'Import a file' })
  async run(_args: ImportFileArguments, run: JobRun): Promise<void> {
    await this.runs.stop(run.id);
    // Ends here, as any run does that was stopped.
    await run.step(() => Promise.resolve(), {});
  }
}
