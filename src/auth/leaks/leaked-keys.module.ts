import { Module } from '@nestjs/common';
import { StoredKeysModule } from '../stored-keys.module';
import { LeakReportsController } from './leak-reports.controller';
import { LeakedKeysService } from './leaked-keys.service';

/** Keys that were found where others can read them: reported by GitHub, or by `petstore keys scan`. */
@Module({
  imports: [StoredKeysModule],
  controllers: [LeakReportsController],
  providers: [LeakedKeysService],
})
export class LeakedKeysModule {}
