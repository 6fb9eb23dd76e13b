import { Injectable } from '@nestjs/common';
import { OverloadedError } from '../../errors/http-errors';
import { InjectLogger, type Logger } from '../../logging/logging.module';
import { Metrics } from '../../telemetry/metrics';
import { requestIdOf } from '../../tracing/request-id';
import { closeAfterResponse } from '../connections/lingering-close';
import type { Exchange } from '../exchange';
import { Overload, OVERLOAD_LIMITS } from './overload';
import type { Step } from './step';

/** Probes are served whatever the load, by a target in any form. */
const HEALTH = /^(?:https?:\/\/[^/]*)?\/health(?:[/?]|$)/i;

/** Clients are told to come back after 1 to so many seconds, so that they do not come back together. */
const LONGEST_PAUSE_SECONDS = 3;

const LOG_EVERY_MS = 1_000;

const ERROR = new OverloadedError();
const BODY = JSON.stringify(ERROR.toBody());

/** Refuses requests that could not be responded to in time, before anything is done for them. */
@Injectable()
export class OverloadStep implements Step {
  private readonly overload = new Overload(
    OVERLOAD_LIMITS,
    () => performance.now(),
    (work) => void setImmediate(work),
  );
  private refused = 0;
  private refusedUntold = 0;

  constructor(
    private readonly metrics: Metrics,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  run(exchange: Exchange): void {
    const { listener, request, response } = exchange;
    if (listener !== 'public') return;
    const reason = this.overload.judge(
      () => request.headers.authorization ?? request.socket.remoteAddress ?? '',
    );
    if (reason && !HEALTH.test(request.url)) {
      this.metrics.shedRequests.add(reason);
      this.refuse(exchange);
      return;
    }
    this.overload.begin();
    response.on('close', () => this.overload.end());
  }

  /** Writes what is known beforehand: a refusal has to cost a small part of a response. */
  private refuse(exchange: Exchange): void {
    const { request, response } = exchange;
    exchange.error = ERROR;
    exchange.isShed = true;
    this.refused += 1;
    response.writeHead(ERROR.status, [
      'Content-Type',
      'application/json; charset=utf-8',
      'Content-Length',
      String(BODY.length),
      'X-Request-Id',
      requestIdOf(request),
      'Cache-Control',
      'no-store',
      'X-Content-Type-Options',
      'nosniff',
      'Retry-After',
      String(1 + (this.refused % LONGEST_PAUSE_SECONDS)),
    ]);
    if (!response.shouldKeepAlive) closeAfterResponse(request.socket);
    response.end(BODY, 'latin1');
    this.tellSoon();
  }

  private tellSoon(): void {
    this.refusedUntold += 1;
    if (this.refusedUntold > 1) return;
    setTimeout(() => {
      this.logger.warn({ requests: this.refusedUntold }, 'Requests were refused: the service is overloaded.');
      this.refusedUntold = 0;
    }, LOG_EVERY_MS).unref();
  }
}
