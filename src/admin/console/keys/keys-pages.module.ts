import { Module } from '@nestjs/common';
import { RateLimitModule } from '../../../platform/rate-limit/rate-limit.module';
import { KeysModule } from '../../../auth/keys.module';
import { OperationsModule } from '../../../platform/http/operations/operations.module';
import { UsageModule } from '../../../auth/usage/usage.module';
import { ApiKeysService } from '../../../auth/api-keys.service';
import { ReportsModule } from '../../requests/reports/reports.module';
import { RequestsModule } from '../../requests/requests.module';
import { ConsoleModule } from '../console.module';
import { ConsoleNavigation } from '../frame/navigation';
import { KeyChangesController } from './key-changes.controller';
import { KeyBudgetsReader } from './key-budgets';
import { KeyEditController } from './key-edit.controller';
import { KeyRulesController } from './key-rules.controller';
import { KEYS, KeysController } from './keys.controller';

/** The pages about API keys. */
@Module({
  imports: [
    ConsoleModule,
    KeysModule,
    OperationsModule,
    RateLimitModule,
    ReportsModule,
    RequestsModule,
    UsageModule,
  ],
  // `keys/new` has to match before `keys/:id`.
  controllers: [KeyChangesController, KeyEditController, KeyRulesController, KeysController],
  providers: [KeyBudgetsReader],
})
export class KeysPagesModule {
  constructor(navigation: ConsoleNavigation, keys: ApiKeysService) {
    const existing = async (ids: readonly string[]) => new Set((await keys.byId(ids)).keys());
    navigation.add({ ...KEYS, icon: 'key', order: 20, subject: { type: 'keys', existing } });
  }
}
