import { Module } from '@nestjs/common';
import { LoggingModule } from '../../logging/logging.module';
import { RequestLogModule } from '../../request-log/request-log.module';
import { Metrics } from '../../telemetry/metrics';
import { UNREAD_LIMITS, UnreadResponses } from '../connections/unread-responses';
import { OperationsModule } from '../operations/operations.module';
import { ChangedRecords } from './changed-records';
import { ErrorFilter } from './error.filter';
import { ListRoom } from './list-room';
import { ResponseCache } from './response-cache';
import { ResponseWriter } from './response-writer';

/** Writes the results of handlers and their errors, within the room that there is. */
@Module({
  imports: [LoggingModule, OperationsModule, RequestLogModule],
  providers: [
    ChangedRecords,
    ErrorFilter,
    ListRoom,
    ResponseCache,
    ResponseWriter,
    {
      provide: UnreadResponses,
      useFactory: (metrics: Metrics) => new UnreadResponses(metrics, UNREAD_LIMITS),
      inject: [Metrics],
    },
  ],
  exports: [ErrorFilter, ListRoom, ResponseWriter, UnreadResponses],
})
export class ResponseModule {}
