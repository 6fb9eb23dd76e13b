import { Module } from '@nestjs/common';
import { OperationsModule } from '../../platform/http/operations/operations.module';
import { ReadOnlyModeModule } from '../../platform/read-only/read-only-mode.module';
import { JobRunsModule } from '../../platform/jobs/job-runs.module';
import { KeysModule } from '../../auth/keys.module';
import { RateLimitModule } from '../../platform/rate-limit/rate-limit.module';
import { AssetsController } from './frame/assets.controller';
import { ConsoleAssets } from './frame/assets.service';
import { ErrorPages } from '../../platform/http/response/error.filter';
import { ConsoleDoor } from '../../platform/features/console-door';
import { ConsoleDoorService } from './frame/console-door.service';
import { ConsoleErrorPages } from './frame/console-error-pages';
import { ConsoleGuard } from './frame/console.guard';
import { ConsoleInterceptor } from './frame/console.interceptor';
import { ConsoleRenderer } from './frame/console-renderer';
import { HomeController } from './home/home.controller';
import { ConsoleNavigation } from './frame/navigation';
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
  imports: [JobRunsModule, KeysModule, OperationsModule, RateLimitModule, ReadOnlyModeModule],
  controllers: [AssetsController, HomeController, SessionsController, ThemeController, TimeZoneController],
  providers: [
    AdminSessionsRepository,
    ConsoleAssets,
    { provide: ConsoleDoor, useClass: ConsoleDoorService },
    ConsoleGuard,
    ConsoleInterceptor,
    { provide: ErrorPages, useClass: ConsoleErrorPages },
    ConsoleNavigation,
    ConsoleRenderer,
    SessionRetentionJob,
    OneTimeForms,
    PersonSessions,
    Sessions,
    SignInLimit,
  ],
  exports: [ConsoleNavigation, ConsoleRenderer, OneTimeForms, PersonSessions, Sessions, SignInLimit],
})
export class ConsoleModule {}
