import { Module } from '@nestjs/common';
import { AuditTrailService } from './audit-trail.service';
import { AuditChainRepository } from './chain/audit-chain.repository';
import { AuditRetentionJob } from './chain/audit-retention-job';
import { AuditSealer } from './chain/audit-sealer.service';
import { AuditWatch } from './chain/audit-watch.service';
import { AuditVerifier } from './chain/audit-verifier.service';

/** The record of changes, for operators to look at, to keep elsewhere and to trust. */
@Module({
  providers: [
    AuditTrailService,
    AuditChainRepository,
    AuditSealer,
    AuditVerifier,
    AuditWatch,
    AuditRetentionJob,
  ],
  exports: [AuditTrailService],
})
export class AuditModule {}
