import { Module } from '@nestjs/common';
import { AssetsController } from './frame/assets.controller';
import { ConsoleAssets } from './frame/assets.service';
import type { Settings } from '../../platform/config/settings';
import { SETTINGS } from '../../platform/config/settings.module';
import { ErrorPages } from '../../platform/http/response/error.filter';
import { ConsoleErrorPages } from './frame/console-error-pages';
import { ConsoleRenderer } from './frame/console-renderer';
import { HomeController } from './home/home.controller';
import { ConsoleNavigation } from './frame/navigation';
import { BackChannelLogoutController } from './sign-in/oidc/back-channel-logout.controller';
import { DeviceSignInController } from './sign-in/oidc/device-sign-in.controller';
import { IdentityProvider } from './sessions/identity-provider';
import { OidcController } from './sign-in/oidc/oidc.controller';
import { oidcSettings } from './sign-in/oidc/oidc-settings';
import { OpenidProvider } from './sign-in/oidc/openid-provider';
import { RolesCheck } from './sign-in/oidc/roles-check.service';
import { AdminSessionsRepository } from './sessions/admin-sessions.repository';
import { SessionRetentionJob } from './sessions/session-retention-job';
import { OneTimeForms } from './sessions/one-time-forms';
import { PersonSessions } from './sessions/person-sessions.service';
import { SessionsController } from './sign-in/sessions.controller';
import { Sessions } from './sessions/sessions.service';
import { SignInLimit } from './sessions/sign-in-limit';
import { ThemeController } from './preferences/theme.controller';
import { TimeZoneController } from './preferences/time-zone.controller';

/** The basis of the console's pages: sign-in, guard, layout. Modules of pages import it. */
@Module({
  controllers: [
    AssetsController,
    BackChannelLogoutController,
    DeviceSignInController,
    HomeController,
    OidcController,
    SessionsController,
    ThemeController,
    TimeZoneController,
  ],
  providers: [
    AdminSessionsRepository,
    ConsoleAssets,
    { provide: ErrorPages, useClass: ConsoleErrorPages },
    ConsoleNavigation,
    ConsoleRenderer,
    { provide: IdentityProvider, useFactory: openProvider, inject: [SETTINGS] },
    SessionRetentionJob,
    OneTimeForms,
    PersonSessions,
    RolesCheck,
    Sessions,
    SignInLimit,
  ],
  exports: [ConsoleNavigation, ConsoleRenderer, OneTimeForms, Sessions],
})
export class ConsoleModule {}

function openProvider(settings: Settings): IdentityProvider | undefined {
  const oidc = oidcSettings(settings);
  return oidc && new OpenidProvider(oidc);
}
