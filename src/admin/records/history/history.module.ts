import { Module } from '@nestjs/common';
import { AuditEventsModule } from '../../../platform/audit/audit-events.module';
import { RequestLogModule } from '../../../platform/request-log/request-log.module';
import { AuditModule } from '../../audit/audit.module';
import { RecordsModule } from '../records.module';
import { TransferModule } from '../transfer/transfer.module';
import { RecordHistory } from './record-history.service';

/** The histories of the records of every feature that describes some. */
@Module({
  imports: [AuditEventsModule, AuditModule, RecordsModule, RequestLogModule, TransferModule],
  providers: [RecordHistory],
  exports: [RecordHistory],
})
export class HistoryModule {}
