import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LoopClock } from './loop-clock';
import { endedRequest } from './ended-request';
import type { ResponseObserver } from './response-observer';
import type { AppError } from '../../errors/app-error';
import { RequestLines } from '../../logging/request-lines';
import { outcomeOf } from '../../request-log/outcome';
import { RequestLog } from '../../request-log/request-log';
import { Timeline } from '../../tracing/timeline';

/**
 * Observes requests on the management port: a line at debug, and a row of the request log for one that failed or was slow.
 * Measurements leave these requests out, because scrapes and probes would outnumber the others on a quiet service.
 */
@Injectable()
export class ManagementTelemetry implements ResponseObserver {
  constructor(
    private readonly lines: RequestLines,
    private readonly requestLog: RequestLog,
    private readonly clock: LoopClock,
  ) {}

  begin(request: IncomingMessage, response: ServerResponse, previous: ServerResponse | undefined): void {
    if (!this.lines.isVerbose && !this.requestLog.isOn) return;
    const { exchange } = request as Request;
    this.clock.begin(exchange, previous);
    if (this.requestLog.isOn) {
      exchange.timeline = new Timeline(exchange.arrivedAt, this.requestLog.isDetailed);
      // Once the connection is gone it is known only if it was asked for before.
      void request.socket.remoteAddress;
    }
    response.once('close', () => this.end(request as Request, response as Response));
  }

  refuse(error: AppError, requestId: string): void {
    this.lines.noteRefusal(error, requestId, 'debug');
  }

  private end(request: Request, response: Response): void {
    const { exchange } = request;
    exchange.endedAt = performance.now();
    const durationMs = exchange.endedAt - exchange.arrivedAt;
    this.lines.note(request, response, durationMs, 'debug');
    if (!this.requestLog.isOn) return;
    const status = response.headersSent ? response.statusCode : undefined;
    const outcome = outcomeOf(status, response.writableFinished);
    if (!this.requestLog.isNotable(outcome, durationMs)) return;
    if (!this.requestLog.takes(outcome, durationMs)) return;
    const ended = endedRequest(request, response, { outcome, durationMs }, this.requestLog);
    // A message may repeat an operator's search.
    this.requestLog.add({ ...ended, message: outcome === 'failed' ? ended.message : null });
  }
}
