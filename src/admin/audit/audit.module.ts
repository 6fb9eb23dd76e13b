import { Module } from '@nestjs/common';
import { AuditEventsModule } from '../../platform/audit/audit-events.module';
import { AuditTrailService } from './audit-trail.service';
import { OlderChanges } from './older-changes.service';

/** The audit trail: operators search and export it. */
@Module({
  imports: [AuditEventsModule],
  providers: [AuditTrailService, OlderChanges],
  exports: [AuditTrailService, OlderChanges],
})
export class AuditModule {}
