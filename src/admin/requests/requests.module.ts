import { Module } from '@nestjs/common';
import { RequestsService } from './requests.service';

/** The request log, for operators to look up what became of a request. */
@Module({ providers: [RequestsService], exports: [RequestsService] })
export class RequestsModule {}
