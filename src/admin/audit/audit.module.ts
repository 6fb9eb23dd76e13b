import { Module } from '@nestjs/common';
import { AuditTrailService } from './audit-trail.service';
import { AuditChainRepository } from './chain/audit-chain.repository';
import { AuditRetentionJob } from './chain/audit-retention-job';
import { AuditSealer } from './chain/audit-sealer.service';
import { AuditWatch } from './chain/audit-watch.service';
import { AuditVerifier } from './chain/audit-verifier.service';

/** The audit trail: operators search it, export it and verify it. */
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
