import { Module } from '@nestjs/common';
import { JobRunsModule } from '../../../platform/jobs/job-runs.module';
import { RecordsModule } from '../records.module';
import { ExportService } from './export.service';
import { ImportFiles } from './import-files.repository';
import { ImportJob } from './import-job';
import { ImportJobs } from './import-jobs.service';
import { ImportLedger } from './import-ledger.repository';
import { ImportRetentionJob } from './import-retention-job';
import { ImportRunsService } from './import-runs.service';
import { ImportService } from './import.service';
import { ImportUndo } from './import-undo.service';
import { ImportUndoJob } from './import-undo-job';
import { RefusedRows } from './refused-rows.service';

/** Exports and imports the records of every feature that describes some. */
@Module({
  imports: [JobRunsModule, RecordsModule],
  providers: [
    ExportService,
    ImportFiles,
    ImportJob,
    ImportJobs,
    ImportLedger,
    ImportRetentionJob,
    ImportRunsService,
    ImportService,
    ImportUndo,
    ImportUndoJob,
    RefusedRows,
  ],
  exports: [ExportService, ImportLedger, ImportService, ImportUndo, RefusedRows],
})
export class TransferModule {}
