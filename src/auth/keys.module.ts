import { Module } from '@nestjs/common';
import { DatabaseModule } from '../platform/database/database.module';
import { OperationsModule } from '../platform/http/operations/operations.module';
import { ApiKeysService } from './api-keys.service';
import { BootstrapKeyService } from './bootstrap-key.service';
import { KeyRequirements } from './key-requirements.service';
import { KeySearchRepository } from './key-search.repository';
import { KeySignIn } from './key-sign-in.service';
import { KeyUpdates } from './key-updates.service';
import { KeyWarningsService } from './key-warnings.service';
import { KeyPolicyJob } from './policy/key-policy-job.service';
import { KeyPolicy } from './policy/key-policy';
import { StoredKeysModule } from './stored-keys.module';
import { UsageModule } from './usage/usage.module';

/** API keys: how they are made, changed, judged and signed in with. */
@Module({
  imports: [DatabaseModule, OperationsModule, StoredKeysModule, UsageModule],
  providers: [
    ApiKeysService,
    BootstrapKeyService,
    KeyPolicy,
    KeyPolicyJob,
    KeyRequirements,
    KeySearchRepository,
    KeySignIn,
    KeyUpdates,
    KeyWarningsService,
  ],
  exports: [ApiKeysService, KeySignIn, KeyUpdates, KeyWarningsService],
})
export class KeysModule {}
