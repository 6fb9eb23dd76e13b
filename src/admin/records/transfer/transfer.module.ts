import { Module } from '@nestjs/common';
import { RecordsModule } from '../records.module';
import { ExportService } from './export.service';
import { ImportBatchesRepository } from './import-batches.repository';
import { ImportFileJob } from './import-file-job';
import { ImportJobs } from './import-jobs.service';
import { ImportRefusalsRepository } from './import-refusals.repository';
import { ImportRetentionJob } from './import-retention-job';
import { ImportRunsRepository } from './import-runs.repository';
import { ImportRunsService } from './import-runs.service';
import { ImportService } from './import.service';
import { ImportUndo } from './import-undo.service';
import { ImportUndoJob } from './import-undo-job';
import { RefusedRows } from './refused-rows.service';

/** Exports and imports the records of every feature that describes some. */
@Module({
  imports: [RecordsModule],
  providers: [
    ExportService,
    ImportBatchesRepository,
    ImportFileJob,
    ImportJobs,
    ImportRefusalsRepository,
    ImportRetentionJob,
    ImportRunsRepository,
    ImportRunsService,
    ImportService,
    ImportUndo,
    ImportUndoJob,
    RefusedRows,
  ],
  exports: [ExportService, ImportRefusalsRepository, ImportService, ImportUndo, RefusedRows],
})
export class TransferModule {}
