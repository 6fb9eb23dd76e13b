import { Injectable } from '@nestjs/common';
import { Job } from '../../../platform/jobs/job.decorator';
import type { JobRun } from '../../../platform/jobs/job-run';
import { RecordsService } from '../records.service';
import { ImportUndo, UndoImportArguments } from './import-undo.service';

/** Undoes the imports whose undo operators of the console have asked for, or whose undo has lost its process. */
@Injectable()
export class ImportUndoJob {
  constructor(
    private readonly undoing: ImportUndo,
    private readonly records: RecordsService,
  ) {}

  @Job(UndoImportArguments, { title: 'Undo an import' })
  async run({ recordType: name, run }: UndoImportArguments, job: JobRun): Promise<void> {
    const recordType = this.records.recordTypeNamed(name);
    if (!recordType) throw new Error(`This version of the service has no ${name}.`);
    await this.undoing.goOn(recordType, run, job);
  }
}
