import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module';
import { RecordsModule } from '../../records/records.module';
import { RequestsModule } from '../../requests/requests.module';
import { ConsoleModule } from '../console.module';
import { FindController } from './find.controller';
import { FindService } from './find.service';

/** The page that finds anything that has a page in the console. */
@Module({
  imports: [AuditModule, ConsoleModule, RecordsModule, RequestsModule],
  controllers: [FindController],
  providers: [FindService],
})
export class FindPagesModule {}
