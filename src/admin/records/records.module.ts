import { Module } from '@nestjs/common';
import { RecordHistory } from './record-history.service';
import { RecordsRepository } from './records.repository';
import { RecordsService } from './records.service';
import { UndoService } from './undo.service';

/** Records of every feature that describes some. */
@Module({
  providers: [RecordHistory, RecordsRepository, RecordsService, UndoService],
  exports: [RecordsService, UndoService],
})
export class RecordsModule {}
