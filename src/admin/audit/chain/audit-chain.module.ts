import { Module } from '@nestjs/common';
import { AuditChainRepository } from './audit-chain.repository';
import { AuditRetentionJob } from './audit-retention-job';
import { AuditSealer } from './audit-sealer.service';
import { AuditVerifier } from './audit-verifier.service';
import { AuditWatch } from './audit-watch.service';

/** The chain of hashes over the audit log: seals it, verifies it, and removes its oldest end. */
@Module({
  providers: [AuditChainRepository, AuditSealer, AuditVerifier, AuditWatch, AuditRetentionJob],
})
export class AuditChainModule {}
