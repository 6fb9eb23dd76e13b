import { Module } from '@nestjs/common';
import { RequestsService } from './requests.service';

/** The request log, where operators look up what became of a request. */
@Module({ providers: [RequestsService], exports: [RequestsService] })
export class RequestsModule {}
