import { Injectable } from '@nestjs/common';
import { Job } from '../../../platform/jobs/job.decorator';
import type { JobRun } from '../../../platform/jobs/job-run';
import { RecordsService } from '../records.service';
import { ImportFiles } from './import-files.repository';
import { ImportLedger } from './import-ledger.repository';
import { ImportArguments } from './import-runs.service';
import { ImportService } from './import.service';

/** Goes on with the imports whose process has ended. */
@Injectable()
export class ImportJob {
  constructor(
    private readonly imports: ImportService,
    private readonly ledger: ImportLedger,
    private readonly files: ImportFiles,
    private readonly records: RecordsService,
  ) {}

  @Job(ImportArguments, { title: 'Import a file' })
  async run({ recordType: name, run: id, rows }: ImportArguments, job: JobRun): Promise<void> {
    const recordType = this.records.recordTypeNamed(name);
    if (!recordType) throw new Error(`This version of the service has no ${name}.`);
    // Such a process had only the file left to remove.
    if ((await this.ledger.find(recordType, id))?.finishedAt) await this.files.remove(id);
    else await this.imports.goOn({ recordType, id, rows }, job);
  }
}
