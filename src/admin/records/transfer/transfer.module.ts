import { Module } from '@nestjs/common';
import { RecordsModule } from '../records.module';
import { ExportService } from './export.service';
import { ImportRunsRepository } from './import-runs.repository';
import { ImportRunsService } from './import-runs.service';
import { ImportService } from './import.service';
import { RefusedRows } from './refused-rows.service';

/** Exports and imports the records of every feature that describes some. */
@Module({
  imports: [RecordsModule],
  providers: [ExportService, ImportRunsRepository, ImportRunsService, ImportService, RefusedRows],
  exports: [ExportService, ImportService, RefusedRows],
})
export class TransferModule {}
