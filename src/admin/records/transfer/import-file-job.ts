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
  async run({ file }: ImportFileArguments, run: JobRun): Promise<void> {
    await this.runs.stop(
      run.id,
      `The process that read ${file} has ended. Import the file again, and the import goes on behind the last row that was done.`,
    );
    // Ends here, as any run does that was stopped.
    await run.step(() => Promise.resolve(), {});
  }
}
