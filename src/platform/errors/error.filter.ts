import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, HttpStatus } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { idsOf } from '../http/request-context';
import { AppError } from './app-error';
import { sendError } from './error-answer';
import { InternalError } from './http-errors';

/** Shows errors to people, in place of the Error answers programs get. */
export interface ErrorPages {
  /** Whether a request is one for a page. */
  isFor(request: Request): boolean;
  /** Writes the whole answer. */
  send(error: AppError, request: Request, response: Response): Promise<void>;
}

/** The only filter: everything a handler throws becomes an Error answer here, or an error page. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private pages: ErrorPages | undefined;

  constructor(private readonly logger: Logger) {}

  /** From now on these answer the requests they are for. */
  showWith(pages: ErrorPages): void {
    this.pages = pages;
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(thrown, http.getRequest<Request>(), http.getResponse<Response>());
  }

  /** Answers a request with whatever was thrown on its way. */
  answer(thrown: unknown, request: Request, response: Response): void {
    const error = toAppError(thrown);
    if (error.status >= 500) {
      this.logger.error({ err: error.cause ?? thrown, ...idsOf(request) }, error.message);
    }
    this.tell(error, request, response);
  }

  /** Answers a request with an error that is no fault to log. */
  tell(error: AppError, request: Request, response: Response): void {
    if (this.pages?.isFor(request)) void this.showPage(this.pages, error, request, response);
    else sendError(request, response, error);
  }

  /** As a page; when that cannot be made, as every other error. */
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

/** Keeps an error that is an answer; Nest's own exceptions keep their status; anything else is a fault. */
function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof HttpException && thrown.getStatus() < 500) return new NestError(thrown.getStatus());
  return new InternalError({ cause: thrown });
}

/** An exception of Nest's own, as a module's author may throw it: its status in words is its code. */
class NestError extends AppError {
  readonly code: string;
  readonly headers = {};

  constructor(readonly status: number) {
    const name = HttpStatus[status] ?? 'BAD_REQUEST';
    super(`The request was refused: ${name.toLowerCase().replaceAll('_', ' ')}.`);
    this.code = name.toLowerCase();
  }
}
