import { STATUS_CODES } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, HttpStatus } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Request, Response } from 'express';
import { idsOf } from '../../tracing/request-context';
import { FaultLog } from '../../logging/fault-log';
import { InjectLogger, type Logger } from '../../logging/logging.module';
import { refusalOf } from '../../database/entities/constraint-errors';
import { Database } from '../../database/database';
import { AppError } from '../../errors/app-error';
import { requestOf } from '../../tracing/request-of';
import { respondToMessage } from './message-errors';
import { sendError } from '../exchange/error-response';
import { InternalError, OverloadedError } from '../../errors/http-errors';
import { ReadOnlyError } from '../../read-only/read-only-mode';

/** Shows errors to people, in place of the Error responses programs get. */
export abstract class ErrorPages {
  /** Tells whether a request asks for a page. */
  abstract isFor(request: Request): boolean;
  /** Writes the whole response. */
  abstract send(error: AppError, request: Request, response: Response): Promise<void>;
}

/** Everything that is thrown and no filter of a module has caught becomes an Error response here, or an error page. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private found: ErrorPages | null | undefined;

  constructor(
    @InjectLogger() private readonly logger: Logger,
    private readonly faults: FaultLog,
    private readonly moduleRef: ModuleRef,
  ) {}

  /**
   * Pages for people; null without the console, which provides them and needs the platform first: so they are looked up, not
   * injected.
   */
  private get pages(): ErrorPages | null {
    if (this.found === undefined) {
      try {
        this.found = this.moduleRef.get<ErrorPages>(ErrorPages, { strict: false });
      } catch {
        this.found = null;
      }
    }
    return this.found;
  }

  /** Responds with anything thrown; to messages and queries in the way of their kind. */
  catch(thrown: unknown, host: ArgumentsHost): unknown {
    const http = host.switchToHttp();
    if (host.getType() === 'http') {
      return this.respond(thrown, http.getRequest<Request>(), http.getResponse<Response>());
    }
    // GraphQL's own says what its author wants to be told.
    if (thrown instanceof Error && thrown.name === 'GraphQLError') return thrown;
    return respondToMessage(host, this.judge(thrown, requestOf(host)));
  }

  /** Responds with anything thrown while a request is served. */
  respond(thrown: unknown, request: Request, response: Response): void {
    this.respondQuietly(this.judge(thrown, request), request, response);
  }

  /** Returns the error for something thrown; logs a fault. */
  private judge(thrown: unknown, request: Request | undefined): AppError {
    const error = toAppError(thrown, () => this.moduleRef.get(Database, { strict: false }));
    if (isFault(error)) {
      this.faults.error(error, error.message, {
        err: error.cause ?? thrown,
        ...(request && idsOf(request)),
      });
    }
    return error;
  }

  /** Responds with an error that is no fault to log. */
  respondQuietly(error: AppError, request: Request, response: Response): void {
    const { pages } = this;
    if (pages?.isFor(request)) void this.showPage(pages, error, request, response);
    else sendError(request, response, error);
  }

  /** Sends the error as a page; when the page cannot be made, as JSON like every other error. */
  private async showPage(
    pages: ErrorPages,
    error: AppError,
    request: Request,
    response: Response,
  ): Promise<void> {
    try {
      await pages.send(error, request, response);
    } catch (fault) {
      this.logger.error({ err: fault, ...idsOf(request) }, 'An error could not be shown as a page.');
      sendError(request, response, error);
    }
  }
}

/**
 * Returns the error for something thrown that no filter of a module catches: an AppError stays as it is, a refusal of a
 * constraint is 409, Nest's own exceptions keep their status, and anything else is a fault.
 */
export function toAppError(thrown: unknown, database: () => Database): AppError {
  if (thrown instanceof AppError) return thrown;
  const refusal = refusalOf(thrown, database);
  if (refusal) return refusal;
  if (thrown instanceof HttpException)
    return new NestError(thrown.getStatus(), thrown, textOf(thrown), thrown.errorCode);
  if (isExpressError(thrown)) return new NestError(thrown.statusCode, thrown);
  if (isMessageError(thrown)) return new NestError(HttpStatus.BAD_REQUEST, thrown, thrown.message);
  return new InternalError({ cause: thrown });
}

/** True of an error to log: one that is no refusal. */
export function isFault(error: AppError): boolean {
  return error.status >= 500 && !(error instanceof ReadOnlyError || error instanceof OverloadedError);
}

/** An error that knows its status, as Express and its middleware throw them (http-errors). */
function isExpressError(thrown: unknown): thrown is Error & { readonly statusCode: number } {
  return thrown instanceof Error && 'statusCode' in thrown && Number(thrown.statusCode) in STATUS_CODES;
}

/** An exception of gateways or brokers, whose packages a service need not have. */
function isMessageError(thrown: unknown): thrown is Error {
  return thrown instanceof Error && ['WsException', 'RpcException'].includes(thrown.constructor.name);
}

/** An exception of Nest's own, as a module's author may throw it: its code is its status in words, unless it has one. */
class NestError extends AppError {
  readonly status: number;
  readonly code: string;
  readonly headers = {};

  constructor(status: number, cause: Error, text?: string, code?: string) {
    const name = (
      HttpStatus[status] ?? (status < 500 ? 'BAD_REQUEST' : 'INTERNAL_SERVER_ERROR')
    ).toLowerCase();
    const phrase = name.replaceAll('_', ' ');
    const isOwn = text !== undefined && text.toLowerCase() !== phrase;
    super(isOwn ? text : `The request was refused: ${phrase}.`, { cause });
    this.status = status;
    this.code = code ?? (name === 'internal_server_error' ? InternalError.declaration.code : name);
  }
}

/** The sentence an exception was given, the first of several. */
function textOf(exception: HttpException): string | undefined {
  const body = exception.getResponse();
  const [text] = [typeof body === 'string' ? body : (body as { readonly message?: unknown }).message].flat();
  return typeof text === 'string' ? text : undefined;
}
