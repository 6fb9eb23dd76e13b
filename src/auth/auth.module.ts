import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { OperationUses } from '../platform/http/operations/operation-uses';
import { RequestAuthenticator } from '../platform/security/request-authenticator';
import { ApiKeysService } from './api-keys.service';
import { BearerGuard } from './bearer.guard';
import { BootstrapKeyService } from './bootstrap-key.service';
import { KeyRequirements } from './key-requirements.service';
import { KeySearchRepository } from './key-search.repository';
import { KeySignIn } from './key-sign-in.service';
import { KeyUpdates } from './key-updates.service';
import { KeyUsage } from './usage/key-usage';
import { KeyWarningsService } from './key-warnings.service';
import { KeyPolicy } from './policy/key-policy';
import { KeyPolicyJob } from './policy/key-policy-job.service';
import { StoredKeysModule } from './stored-keys.module';
import { UsageRetentionJob } from './usage/usage-retention-job';
import { OperationUsesRepository } from './usage/operation-uses.repository';
import { UsageService } from './usage/usage.service';

/** API keys and the guard. Global, because the platform asks it who sends a request. */
@Global()
@Module({
  imports: [StoredKeysModule],
  providers: [
    ApiKeysService,
    BearerGuard,
    BootstrapKeyService,
    KeyPolicy,
    KeyPolicyJob,
    KeyRequirements,
    KeySearchRepository,
    KeySignIn,
    KeyUpdates,
    KeyUsage,
    KeyWarningsService,
    UsageRetentionJob,
    OperationUsesRepository,
    UsageService,
    { provide: RequestAuthenticator, useExisting: BearerGuard },
    { provide: OperationUses, useExisting: KeyUsage },
    { provide: APP_GUARD, useExisting: BearerGuard },
  ],
  exports: [
    ApiKeysService,
    KeySignIn,
    KeyUpdates,
    KeyWarningsService,
    UsageService,
    RequestAuthenticator,
    OperationUses,
  ],
})
export class AuthModule {}
