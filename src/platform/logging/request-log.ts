import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { idsOf } from '../http/request-context';
import { InjectLogger, type Logger } from './logging.module';

/** The message of every request's line. */
export const REQUEST_MESSAGE = 'request';

/** A request's line, besides what every line has. Members that are not known are left out. */
export interface RequestLine {
  readonly requestId: string;
  /** Of the trace it belongs to. */
  readonly traceId?: string | undefined;
  /** Of its own span, when traces are recorded. */
  readonly spanId?: string | undefined;
  readonly method?: string;
  /** Path template, `/v1/pets/{petId}`; unset when none matched. Never the path: a client may put its key there. */
  readonly route?: string | undefined;
  /** Unset when nothing was answered. */
  readonly status?: number | undefined;
  /** From the end of the header section to the last byte handed to the system, or to the loss of the connection. */
  readonly durationMs?: number;
  /** Id of the API key, never the key. */
  readonly keyId?: string | undefined;
  /** The client went away before it had the whole answer. */
  readonly aborted?: true | undefined;
}

/** How severe it is that there was a request. */
export type RequestLevel = 'debug' | 'info';

/** Writes one line a request, once it has been answered: at info, or at debug for routine questions. */
@Injectable()
export class RequestLog {
  /** Whether routine questions are logged too. */
  readonly isVerbose: boolean;

  constructor(@InjectLogger() private readonly logger: Logger) {
    this.isVerbose = logger.isLevelEnabled('debug');
  }

  /** A request whose response has been closed. */
  note(
    request: Request,
    response: Response,
    durationMs: number,
    level: RequestLevel = request.operation?.isRoutine ? 'debug' : 'info',
  ): void {
    if (!this.logger.isLevelEnabled(level)) return;
    const { operation } = request;
    const line: RequestLine = {
      ...idsOf(request),
      method: request.method,
      route: operation?.template,
      status: response.headersSent ? response.statusCode : undefined,
      durationMs: Math.round(durationMs * 1_000) / 1_000,
      keyId: request.principal?.keyId,
      aborted: response.writableFinished ? undefined : true,
    };
    this.logger[level](line, REQUEST_MESSAGE);
  }

  /** Something that was no request yet, and was refused: malformed HTTP and the like. */
  noteRefusal(status: number, requestId: string, level: RequestLevel = 'info'): void {
    const line: RequestLine = { requestId, status };
    this.logger[level](line, REQUEST_MESSAGE);
  }
}
