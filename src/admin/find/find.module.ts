import { Module } from '@nestjs/common';
import { KeysModule } from '../../auth/keys.module';
import { AuditModule } from '../audit/audit.module';
import { RecordsModule } from '../records/records.module';
import { RequestsModule } from '../requests/requests.module';
import { FindService } from './find.service';

/** The search for anything, which the console and the command line share. */
@Module({
  imports: [AuditModule, KeysModule, RecordsModule, RequestsModule],
  providers: [FindService],
  exports: [FindService],
})
export class FindModule {}
