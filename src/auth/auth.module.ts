import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { RateLimitModule } from '../platform/rate-limit/rate-limit.module';
import { RequestAuthenticator } from '../platform/security/request-authenticator';
import { BearerGuard } from './bearer.guard';
import { KeysModule } from './keys.module';
import { StoredKeysModule } from './stored-keys.module';
import { UsageModule } from './usage/usage.module';

/** The guard. Global, because the platform asks it who sends a request. */
@Global()
@Module({
  imports: [KeysModule, RateLimitModule, StoredKeysModule, UsageModule],
  providers: [
    BearerGuard,
    { provide: RequestAuthenticator, useExisting: BearerGuard },
    { provide: APP_GUARD, useExisting: BearerGuard },
  ],
  exports: [RequestAuthenticator],
})
export class AuthModule {}
