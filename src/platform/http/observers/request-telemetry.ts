import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Request, Response } from 'express';
import { InjectSettings } from '../../config/settings.module';
import type { Settings } from '../../config/settings';
import type { ResponseObserver } from './response-observer';
import type { AppError } from '../../errors/app-error';
import { attachContext } from '../../tracing/request-context';
import { RequestLog } from '../../logging/request-log';
import { Metrics } from '../../telemetry/metrics';
import { parentSpanOf } from '../../tracing/traceparent';
import { type RequestSpan, type Tracing, TRACING } from '../../tracing/tracing';

/** What is observed of every request on the public port, however it is answered. */
@Injectable()
export class RequestTelemetry implements ResponseObserver, OnApplicationShutdown {
  private readonly isMeasured: boolean;

  constructor(
    @InjectSettings() settings: Settings,
    private readonly metrics: Metrics,
    private readonly log: RequestLog,
    @Inject(TRACING) private readonly tracing: Tracing | undefined,
  ) {
    this.isMeasured = settings.metrics;
  }

  /** When all connections have ended, and with them the requests. */
  async onApplicationShutdown(): Promise<void> {
    await this.tracing?.close();
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    if (!this.isMeasured && !this.tracing && !this.log.isOn) return;
    const began = performance.now();
    const span = this.tracing?.begin(request, parentSpanOf(request));
    if (span) attachContext({ request, span });
    if (this.isMeasured) this.metrics.requests.begin();
    // It closes once, and `on` costs less than `once`.
    response.on('close', () =>
      this.end(request as Request, response as Response, performance.now() - began, span),
    );
  }

  refuse(error: AppError, requestId: string): void {
    if (this.isMeasured) this.metrics.requests.refuse(error.status);
    this.log.noteRefusal(error, requestId);
  }

  private end(request: Request, response: Response, durationMs: number, span: RequestSpan | undefined): void {
    const { method, exchange } = request;
    const { operation } = exchange;
    const status = response.headersSent ? response.statusCode : undefined;
    this.log.note(request, response, durationMs);
    span?.answered(method, operation?.template, status);
    if (this.isMeasured) this.metrics.requests.end(method, operation, status, durationMs);
  }
}
