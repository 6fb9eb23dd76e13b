import { Module } from '@nestjs/common';
import { KeysModule } from '../../../auth/keys.module';
import { AuditModule } from '../../audit/audit.module';
import { RecordsModule } from '../../records/records.module';
import { TransferModule } from '../../records/transfer/transfer.module';
import { ConsoleModule } from '../console.module';
import { ConsoleNavigation } from '../frame/navigation';
import { AUDIT, AuditController } from './audit.controller';
import { ImportEntries } from './import-entries';

/** The pages of the audit log. */
@Module({
  imports: [AuditModule, ConsoleModule, KeysModule, RecordsModule, TransferModule],
  controllers: [AuditController],
  providers: [ImportEntries],
})
export class AuditPagesModule {
  constructor(navigation: ConsoleNavigation) {
    navigation.add({ ...AUDIT, icon: 'audit', order: 30 });
  }
}
