import { Module } from '@nestjs/common';
import { RequestLogModule } from '../../platform/request-log/request-log.module';
import { KeysModule } from '../../auth/keys.module';
import { OperationsModule } from '../../platform/http/operations/operations.module';
import { RequestsService } from './requests.service';

/** The request log, where operators look up what became of a request. */
@Module({
  imports: [KeysModule, OperationsModule, RequestLogModule],
  providers: [RequestsService],
  exports: [RequestsService],
})
export class RequestsModule {}
