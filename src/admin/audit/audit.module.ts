import { Module } from '@nestjs/common';
import { AuditTrailService } from './audit-trail.service';

/** The audit trail: operators search it and export it. */
@Module({
  providers: [AuditTrailService],
  exports: [AuditTrailService],
})
export class AuditModule {}
