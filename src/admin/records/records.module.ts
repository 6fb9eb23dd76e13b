import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { LockedRecords } from './locked-records.service';
import { ManyRecords } from './many-records.service';
import { RecordActionsService } from './record-actions.service';
import { RecordHistory } from './record-history.service';
import { RecordsRepository } from './records.repository';
import { RecordsService } from './records.service';
import { UndoService } from './undo.service';

/** Admin tooling for the records of every feature that describes some. */
@Module({
  imports: [AuditModule],
  providers: [
    LockedRecords,
    ManyRecords,
    RecordActionsService,
    RecordHistory,
    RecordsRepository,
    RecordsService,
    UndoService,
  ],
  exports: [ManyRecords, RecordActionsService, RecordsRepository, RecordsService, UndoService],
})
export class RecordsModule {}
