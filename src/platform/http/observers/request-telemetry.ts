import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LoopClock } from './loop-clock';
import { endedRequest } from './ended-request';
import type { ResponseObserver } from './response-observer';
import type { AppError } from '../../errors/app-error';
import { attachContext } from '../../tracing/request-context';
import { RequestLines } from '../../logging/request-lines';
import { type Outcome, outcomeOf } from '../../request-log/outcome';
import { RequestLog } from '../../request-log/request-log';
import { Metrics } from '../../telemetry/metrics';
import { Timeline } from '../../tracing/timeline';
import { parentSpanOf } from '../../tracing/traceparent';
import { type RequestSpan, type Tracing, TRACING } from '../../tracing/tracing';

/** Observes every request on the public port, whatever its response is. */
@Injectable()
export class RequestTelemetry implements ResponseObserver, OnApplicationShutdown {
  constructor(
    private readonly metrics: Metrics,
    private readonly lines: RequestLines,
    private readonly requestLog: RequestLog,
    private readonly clock: LoopClock,
    @Inject(TRACING) private readonly tracing: Tracing | undefined,
  ) {}

  /** Closes tracing once all connections, and with them the requests, have ended. */
  async onApplicationShutdown(): Promise<void> {
    await this.tracing?.close();
  }

  begin(request: IncomingMessage, response: ServerResponse, previous: ServerResponse | undefined): void {
    const { exchange } = request as Request;
    this.clock.begin(exchange, previous);
    if (this.lines.isOn || this.requestLog.isOn) {
      exchange.timeline = new Timeline(
        exchange.arrivedAt,
        this.requestLog.isOn && this.requestLog.isDetailed,
      );
    }
    // Once the connection is gone it is known only if it was asked for before.
    if (this.requestLog.isOn) void request.socket.remoteAddress;
    const span = this.tracing?.begin(request, parentSpanOf(request));
    if (span) attachContext({ request, span });
    this.metrics.requests.begin();
    // It closes once, and `on` costs less than `once`.
    response.on('close', () => this.end(request as Request, response as Response, span));
  }

  refuse(error: AppError, requestId: string, address: string | null): void {
    const { status, code, message } = error;
    this.metrics.requests.refuse(status);
    this.lines.noteRefusal(error, requestId);
    if (!this.requestLog.isOn || !this.requestLog.takes('refused', 0)) return;
    const unknown = { traceId: null, keyId: null, method: null, route: null };
    const refusal = { outcome: 'refused', status, code, message } as const;
    this.requestLog.add({ ...unknown, ...refusal, requestId, address, durationMs: 0 });
  }

  private end(request: Request, response: Response, span: RequestSpan | undefined): void {
    const { method, exchange } = request;
    const { operation, arrivedAt, waitMs } = exchange;
    exchange.endedAt = performance.now();
    const durationMs = exchange.endedAt - arrivedAt;
    const status = response.headersSent ? response.statusCode : undefined;
    const outcome = outcomeOf(status, response.writableFinished);
    if (!exchange.isShed) this.lines.note(request, response, durationMs);
    span?.responded(method, operation?.template, status);
    const had = outcome === 'aborted' ? undefined : status;
    this.metrics.requests.end(method, operation, had, durationMs, waitMs);
    if (this.requestLog.isOn && !exchange.isShed) this.keep(request, response, outcome, durationMs);
  }

  private keep(request: Request, response: Response, outcome: Outcome, durationMs: number): void {
    if (outcome === 'succeeded' && request.exchange.operation?.isQuiet) return;
    if (!this.requestLog.takes(outcome, durationMs)) return;
    this.requestLog.add(endedRequest(request, response, { outcome, durationMs }, this.requestLog));
  }
}
