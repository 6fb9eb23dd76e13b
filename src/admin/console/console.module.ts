import { Module } from '@nestjs/common';
import { AssetsController } from './assets.controller';
import { ConsoleAssets } from './assets.service';
import { ErrorPages } from '../../platform/http/response/error.filter';
import { ConsoleErrorPages } from './console-error-pages';
import { ConsoleRenderer } from './console-renderer';
import { HomeController } from './home/home.controller';
import { ConsoleNavigation } from './navigation';
import { AdminSessionsRepository } from './sessions/admin-sessions.repository';
import { SessionRetentionJob } from './sessions/session-retention-job';
import { OneTimeForms } from './sessions/one-time-forms';
import { SessionsController } from './sessions/sessions.controller';
import { Sessions } from './sessions/sessions.service';
import { SignInLimit } from './sessions/sign-in-limit';
import { ThemeController } from './theme/theme.controller';
import { TimeZoneController } from './time-zone/time-zone.controller';

/** What pages of the console are built on: sign-in, guard, layout. Modules of pages import it. */
@Module({
  controllers: [AssetsController, HomeController, SessionsController, ThemeController, TimeZoneController],
  providers: [
    AdminSessionsRepository,
    ConsoleAssets,
    { provide: ErrorPages, useClass: ConsoleErrorPages },
    ConsoleNavigation,
    ConsoleRenderer,
    SessionRetentionJob,
    OneTimeForms,
    Sessions,
    SignInLimit,
  ],
  exports: [ConsoleNavigation, ConsoleRenderer, OneTimeForms, Sessions],
})
export class ConsoleModule {}
