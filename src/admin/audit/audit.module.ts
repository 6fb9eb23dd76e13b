import { Module } from '@nestjs/common';
import { AuditEventsModule } from '../../platform/audit/audit-events.module';
import { AuditTrailService } from './audit-trail.service';
import { OpenedEvents } from './opened-events.service';

/** The audit trail: operators search and export it. */
@Module({
  imports: [AuditEventsModule],
  providers: [AuditTrailService, OpenedEvents],
  exports: [AuditTrailService, OpenedEvents],
})
export class AuditModule {}
