import { Module } from '@nestjs/common';
import { AuditTrailService } from './audit-trail.service';
import { FollowedEvents } from './followed-events.service';
import { OpenedEvents } from './opened-events.service';

/** The audit trail: operators search it, export it and have other systems follow it. */
@Module({
  providers: [AuditTrailService, FollowedEvents, OpenedEvents],
  exports: [AuditTrailService, FollowedEvents, OpenedEvents],
})
export class AuditModule {}
