import type { IncomingMessage, ServerResponse } from 'node:http';
import { METHODS } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { InjectSettings } from '../config/settings.module';
import type { Settings } from '../config/settings';
import type { AnswerObserver } from '../errors/answer-observer';
import { openapiPath } from '../http/operation-path';
import { Metrics } from './metrics';

/** Whatever a client may call a method; OpenTelemetry's name for those nobody knows. */
const KNOWN_METHODS = new Set(METHODS);
const OTHER_METHOD = '_OTHER';

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
    this.metrics.activeRequests.inc();
    response.once('close', () => this.end(request as Request, response, performance.now() - began));
  }

  refuse(status: number, _requestId: string): void {
    if (this.isMeasured) this.measure(OTHER_METHOD, '', status, 0);
  }

  private end(request: Request, response: ServerResponse, durationMs: number): void {
    this.metrics.activeRequests.dec();
    const { method, operation } = request;
    const route = operation ? openapiPath(operation.path) : '';
    this.measure(KNOWN_METHODS.has(method) ? method : OTHER_METHOD, route, response.statusCode, durationMs);
  }

  private measure(method: string, route: string, status: number, durationMs: number): void {
    this.metrics.requestDuration.labels(method, route, String(status)).observe(durationMs / 1_000);
  }
}
