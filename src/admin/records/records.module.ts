import { Module } from '@nestjs/common';
import { AuditEventsModule } from '../../platform/audit/audit-events.module';
import { AuditModule } from '../audit/audit.module';
import { BulkChanges } from './bulk-changes.service';
import { LockedRecords } from './locked-records.service';
import { ManyRecords } from './many-records.service';
import { RecordActionsService } from './record-actions.service';
import { RecordsRepository } from './records.repository';
import { RecordsService } from './records.service';
import { UndoService } from './undo.service';

/** Admin tooling for the records of every feature that describes some. */
@Module({
  imports: [AuditEventsModule, AuditModule],
  providers: [
    BulkChanges,
    LockedRecords,
    ManyRecords,
    RecordActionsService,
    RecordsRepository,
    RecordsService,
    UndoService,
  ],
  exports: [BulkChanges, ManyRecords, RecordActionsService, RecordsRepository, RecordsService, UndoService],
})
export class RecordsModule {}
