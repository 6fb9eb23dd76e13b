import { Module } from '@nestjs/common';
import { AuditTrailService } from './audit-trail.service';

/** The record of changes, for operators to look at and to keep elsewhere. */
@Module({ providers: [AuditTrailService], exports: [AuditTrailService] })
export class AuditModule {}
