import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module';
import { RecordsModule } from '../../records/records.module';
import { ConsoleModule } from '../console.module';
import { ConsoleNavigation } from '../frame/navigation';
import { AUDIT, AuditController } from './audit.controller';

/** The pages of the audit log. */
@Module({ imports: [AuditModule, ConsoleModule, RecordsModule], controllers: [AuditController] })
export class AuditPagesModule {
  constructor(navigation: ConsoleNavigation) {
    navigation.add({ ...AUDIT, icon: 'audit', order: 30 });
  }
}
