import { Module } from '@nestjs/common';
import { AuditLines } from './audit-lines';

/** The audit log in the log of the service, with `AUDIT_LOG`. */
@Module({ providers: [AuditLines] })
export class AuditLinesModule {}
