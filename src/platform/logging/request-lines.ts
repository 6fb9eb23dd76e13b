import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { AppError } from '../errors/app-error';
import { idsOf } from '../tracing/request-context';
import { roundedMs } from '../tracing/timeline';
import { lineTime } from './line-time';
import { LogOutput } from './log-output';
import { InjectLogger, type Logger } from './logging.module';
import { REQUEST_MESSAGE, type RequestLine } from './request-line';

/** Level of the line of a request. */
export type RequestLevel = 'debug' | 'info';

/** Writes one line a request, once its response is over: at info, or at debug where a route asks for it. */
@Injectable()
export class RequestLines {
  private readonly output: LogOutput;
  private readonly writes: Readonly<Record<RequestLevel, boolean>>;
  private readonly begins: Readonly<Record<RequestLevel, string>>;
  /** Members of every line of this logger, such as the name of the service. */
  private readonly common: string;

  constructor(@InjectLogger() logger: Logger) {
    const { values } = logger.levels;
    const begin = (level: RequestLevel) => `{"level":${values[level]},"time":"`;
    this.output = LogOutput.of(logger);
    this.writes = { debug: logger.isLevelEnabled('debug'), info: logger.isLevelEnabled('info') };
    this.common = JSON.stringify(logger.bindings()).slice(1, -1);
    this.begins = { debug: begin('debug'), info: begin('info') };
  }

  /** True if any request is logged. */
  get isOn(): boolean {
    return this.writes.info;
  }

  /** True if requests at debug are logged too. */
  get isVerbose(): boolean {
    return this.writes.debug;
  }

  /** Logs a request whose response has been closed. */
  note(
    request: Request,
    response: Response,
    durationMs: number,
    level: RequestLevel = request.exchange.operation?.isQuiet ? 'debug' : 'info',
  ): void {
    if (!this.writes[level]) return;
    const { requestId, traceId, spanId } = idsOf(request);
    const { timeline, waitMs } = request.exchange;
    const asksDatabase = timeline !== undefined && timeline.statementCount > 0;
    this.write(level, {
      requestId,
      traceId,
      spanId,
      method: request.method,
      route: request.exchange.operation?.template,
      status: response.headersSent ? response.statusCode : undefined,
      code: request.exchange.error?.code,
      durationMs: roundedMs(durationMs),
      waitMs: waitMs > 0 ? roundedMs(waitMs) : undefined,
      statements: asksDatabase ? timeline.statementCount : undefined,
      statementsMs: asksDatabase ? roundedMs(timeline.statementsMs) : undefined,
      keyId: request.exchange.principal?.keyId,
      createdId: request.exchange.createdId,
      aborted: response.writableFinished ? undefined : true,
    });
  }

  /** Logs a refusal of bytes that had not become a request yet: malformed HTTP and the like. */
  noteRefusal({ status, code }: AppError, requestId: string, level: RequestLevel = 'info'): void {
    if (this.writes[level]) this.write(level, { requestId, status, code });
  }

  private write(level: RequestLevel, line: RequestLine): void {
    this.output.writeLater(
      `${this.begins[level]}${lineTime()}",${this.common},${JSON.stringify(line).slice(1, -1)},"msg":"${REQUEST_MESSAGE}"}\n`,
    );
  }
}
