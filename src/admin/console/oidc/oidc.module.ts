import { Global, Module } from '@nestjs/common';
import { KeysModule } from '../../../auth/keys.module';
import type { Settings } from '../../../platform/config/settings';
import { SETTINGS } from '../../../platform/config/settings.module';
import { ConsoleModule } from '../console.module';
import { IdentityProvider } from '../sessions/identity-provider';
import { BackChannelLogoutController } from './back-channel-logout.controller';
import { OidcController } from './oidc.controller';
import { oidcSettings } from './oidc-settings';
import { OpenidProvider } from './openid-provider';
import { RolesCheck } from './roles-check.service';

/** Sign-in with the OIDC provider. Global, because the sessions of the console ask that provider about people. */
@Global()
@Module({
  imports: [ConsoleModule, KeysModule],
  controllers: [BackChannelLogoutController, OidcController],
  providers: [{ provide: IdentityProvider, useFactory: openProvider, inject: [SETTINGS] }, RolesCheck],
  exports: [IdentityProvider],
})
export class OidcModule {}

function openProvider(settings: Settings): IdentityProvider | undefined {
  const oidc = oidcSettings(settings);
  return oidc && new OpenidProvider(oidc);
}
