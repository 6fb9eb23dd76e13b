import { Module } from '@nestjs/common';
import { AuditEventsModule } from '../../platform/audit/audit-events.module';
import { AuditLines } from './audit-lines';

/** The audit log in the log of the service, with `AUDIT_LOG`. */
@Module({ imports: [AuditEventsModule], providers: [AuditLines] })
export class AuditLinesModule {}
