import { STATUS_CODES } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { AppError } from '../../../platform/errors/app-error';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { InjectAdminRecords } from '../../../platform/features/admin-records.module';
import { ErrorPages } from '../../../platform/http/response/error.filter';
import { ComposedResponse } from '../../../platform/http/response/composed-response';
import { ReadOnlyMode } from '../../../platform/read-only/read-only-mode';
import { requestIdOf } from '../../../platform/tracing/request-id';
import { MisdirectedRequest } from '../../../platform/http/management/allowed-host';
import { ConsoleRenderer } from './console-renderer';
import { type ConsolePage, page } from '../../../platform/features/console-page';
import { PAGE_HEADERS } from '../http/page-headers';
import { enterSession } from './enter-session';
import { SignInForForm } from './sign-in-page';
import { Sessions } from '../sessions/sessions.service';
import { ConsoleRequest } from '../http/console-request';

const BELOW_CONSOLE = /^\/admin(?:[/?]|$)/;
/** Path that a browser asks for when only the host and the port were typed. */
const PORT_ALONE = /^\/(?:\?|$)/;

/** Titles of error pages by status. */
const TITLES: Readonly<Record<number, string>> = {
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Page not found',
  405: 'Not possible here',
  409: 'Not carried out',
  413: 'Too large',
  421: 'Unknown name',
  422: 'Not carried out',
  429: 'Too many attempts',
  500: 'Something went wrong',
  503: 'Not available',
};

/** Sentences for people at a browser that say more than the message for programs. */
const SENTENCES: Readonly<Record<string, string>> = {
  not_found: 'This page does not exist, or its record was removed.',
  method_not_allowed:
    'This address does not accept this request; the address may belong to a form. Nothing was changed.',
  internal_error:
    'The fault is on our side and has been logged. If you were changing something, check whether the change was saved.',
};

/**
 * Shows errors below `/admin` as pages. Redirects to the page that is meant: from `/admin/pets` to the list of pets, and from an
 * address with superfluous slashes at its end.
 */
@Injectable()
export class ConsoleErrorPages extends ErrorPages {
  constructor(
    private readonly renderer: ConsoleRenderer,
    private readonly sessions: Sessions,
    private readonly readOnly: ReadOnlyMode,
    @InjectAdminRecords() private readonly recordTypes: readonly AdminRecords[],
  ) {
    super();
  }

  isFor(request: Request): boolean {
    const { exchange, originalUrl } = request;
    if (exchange.listener !== 'management' || !wantsPages(request)) return false;
    return BELOW_CONSOLE.test(originalUrl) || (PORT_ALONE.test(originalUrl) && isReading(request));
  }

  async send(error: AppError, request: Request, response: Response): Promise<void> {
    const { status } = error;
    const meant = status === 404 && isReading(request) ? this.meantAddress(request) : undefined;
    if (meant !== undefined) {
      new ComposedResponse(303, { ...PAGE_HEADERS, Location: meant }).send(request, response);
      return;
    }
    const consoleRequest = request.consoleRequest ?? (await this.requestBeforeGuard(error, request));
    const shown = error instanceof SignInForForm ? error.signIn : errorPage(error, request.method);
    const body = this.renderer.page(shown, { request: consoleRequest, requestId: requestIdOf(request) });
    request.exchange.error = error;
    new ComposedResponse(status, { ...PAGE_HEADERS, ...error.headers }, body).send(request, response);
  }

  /** The address of the page that is meant; undefined if none is known. */
  private meantAddress({ originalUrl }: Request): string | undefined {
    const [, name = '', rest = ''] = /^\/admin\/([^/?]+)(.*)$/.exec(originalUrl) ?? [];
    const isRecordType = this.recordTypes.some((recordType) => recordType.name === name);
    return isRecordType ? `/admin/records/${name}${rest}` : withoutSlashes(originalUrl);
  }

  /**
   * Makes the console request of one that was refused for its path or method before the guard ran. Looks up its session here.
   */
  private async requestBeforeGuard(error: AppError, request: Request): Promise<ConsoleRequest> {
    const consoleRequest = new ConsoleRequest(request, this.readOnly.sentence);
    if (error instanceof MisdirectedRequest) return consoleRequest;
    try {
      await enterSession(consoleRequest, request, this.sessions);
    } catch {
      // Then the page has no navigation: the error that it shows matters more.
    }
    return consoleRequest;
  }
}

function errorPage({ status, code, message }: AppError, method: string): ConsolePage {
  const title = TITLES[status] ?? STATUS_CODES[status] ?? 'Error';
  const canRetry = status === 503 && method === 'GET';
  return page('/frame/layout/error', {
    title,
    data: { status, code, sentence: SENTENCES[code] ?? message, canRetry },
  });
}

/** True for browsers, which take pages; the command line takes JSON alone. */
function wantsPages(request: Request): boolean {
  return request.accepts(['html', 'json']) !== 'json';
}

/** True if the request asks for a page. */
function isReading({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * The address without the slashes at the end of its path, and `/admin` if only the port was typed. Returns undefined if the
 * path does not end in a slash.
 */
function withoutSlashes(address: string): string | undefined {
  const [path = ''] = address.split('?', 1);
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return end === path.length ? undefined : (path.slice(0, end) || '/admin') + address.slice(path.length);
}
