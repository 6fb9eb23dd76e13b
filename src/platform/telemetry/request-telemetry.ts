import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { InjectSettings } from '../config/settings.module';
import type { Settings } from '../config/settings';
import type { AnswerObserver } from '../errors/answer-observer';
import { Metrics } from './metrics';

/** What is observed of every request, however it is answered. */
@Injectable()
export class RequestTelemetry implements AnswerObserver {
  private readonly isMeasured: boolean;

  constructor(
    @InjectSettings() settings: Settings,
    private readonly metrics: Metrics,
  ) {
    this.isMeasured = settings.metrics;
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    if (!this.isMeasured) return;
    const began = performance.now();
    this.metrics.requests.begin();
    // It closes once, and `on` costs less than `once`.
    response.on('close', () => this.end(request as Request, response, performance.now() - began));
  }

  refuse(status: number, _requestId: string): void {
    if (this.isMeasured) this.metrics.requests.refuse(status);
  }

  private end(request: Request, response: ServerResponse, durationMs: number): void {
    this.metrics.requests.end(request.method, request.operation, response.statusCode, durationMs);
  }
}
