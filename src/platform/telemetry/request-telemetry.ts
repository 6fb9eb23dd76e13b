import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { InjectSettings } from '../config/settings.module';
import type { Settings } from '../config/settings';
import type { AnswerObserver } from '../errors/answer-observer';
import { keepContext } from '../http/request-context';
import { RequestLog } from '../logging/request-log';
import { Metrics } from './metrics';
import { senderOf } from './traceparent';

/** What is observed of every request on the public port, however it is answered. */
@Injectable()
export class RequestTelemetry implements AnswerObserver {
  private readonly isMeasured: boolean;

  constructor(
    @InjectSettings() settings: Settings,
    private readonly metrics: Metrics,
    private readonly log: RequestLog,
  ) {
    this.isMeasured = settings.metrics;
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    const began = performance.now();
    keepContext({ request, traceId: senderOf(request)?.traceId });
    if (this.isMeasured) this.metrics.requests.begin();
    // It closes once, and `on` costs less than `once`.
    response.on('close', () => this.end(request as Request, response as Response, performance.now() - began));
  }

  refuse(status: number, requestId: string): void {
    if (this.isMeasured) this.metrics.requests.refuse(status);
    this.log.noteRefusal(status, requestId);
  }

  private end(request: Request, response: Response, durationMs: number): void {
    this.log.note(request, response, durationMs);
    if (!this.isMeasured) return;
    const status = response.headersSent ? response.statusCode : undefined;
    this.metrics.requests.end(request.method, request.operation, status, durationMs);
  }
}
