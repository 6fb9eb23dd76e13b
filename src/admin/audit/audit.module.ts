import { Module } from '@nestjs/common';
import { AuditTrailService } from './audit-trail.service';
import { OpenedEvents } from './opened-events.service';

/** The audit trail: operators search and export it. */
@Module({
  providers: [AuditTrailService, OpenedEvents],
  exports: [AuditTrailService, OpenedEvents],
})
export class AuditModule {}
