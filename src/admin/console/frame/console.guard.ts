import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { AppError } from '../../../platform/errors/app-error';
import { CONSOLE_PUBLIC_METADATA } from '../../../platform/features/console-controller.decorator';
import { OperationRegistry } from '../../../platform/http/operations/operation-registry';
import { ReadOnlyMode } from '../../../platform/read-only/read-only-mode';
import { CONSOLE_SCOPES_METADATA } from '../../../platform/security/access.decorators';
import { ConsoleRequest } from '../http/console-request';
import { ElsewhereError, FormTooLargeError, NotAllowedError, NotSignedInError } from '../console.errors';
import { isUpload, readForm, readFormOfStranger } from '../http/read-form';
import { CSRF_FIELD, CSRF_HEADER, isCsrfToken } from '../sessions/csrf';
import { enterSession } from './enter-session';
import { sessionToken } from '../http/session-cookie';
import { Sessions } from '../sessions/sessions.service';
import { SignInForForm, signInPage } from './sign-in-page';
import { SignInLimit } from '../sessions/sign-in-limit';
import { isCarriable, MAX_STORED_FIELDS, typedFields } from '../sessions/stored-form';

/**
 * Decides who may see and do what in the console. Also reads the forms of sessions, because it has to check their token; a form
 * that needs no session is for its handler to count and to read.
 */
@Injectable()
export class ConsoleGuard implements CanActivate {
  /** Requests let in: a controller that extends another of the console has the guard twice, and a form is read once. */
  private readonly admitted = new WeakSet<Request>();

  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: Sessions,
    private readonly operations: OperationRegistry,
    private readonly readOnly: ReadOnlyMode,
    private readonly limit: SignInLimit,
  ) {}

  /** @throws AppError */
  async canActivate(context: ExecutionContext): Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (this.admitted.has(request)) return true;
    const isChange = request.method !== 'GET' && request.method !== 'HEAD';
    if (isChange) assertSameOrigin(request);
    const consoleRequest = new ConsoleRequest(request, this.readOnly.sentence);
    request.consoleRequest = consoleRequest;

    const targets = [context.getHandler(), context.getClass()];
    const isOpen =
      this.reflector.getAllAndOverride<boolean | undefined>(CONSOLE_PUBLIC_METADATA, targets) ?? false;
    if (!isOpen) {
      if (!(await enterSession(consoleRequest, request, this.sessions))) {
        throw await this.signInNeeded(consoleRequest, request, http.getResponse<Response>());
      }
      const scopes =
        this.reflector.getAllAndOverride<string[] | undefined>(CONSOLE_SCOPES_METADATA, targets) ?? [];
      assertCovered(consoleRequest, scopes);
    }
    if (isChange && !isOpen) {
      const { fields, upload } = await readForm(request, http.getResponse<Response>());
      consoleRequest.form = fields;
      consoleRequest.upload = upload;
      if (!isOwnForm(request, consoleRequest)) throw await this.formOfOtherSession(consoleRequest, request);
    }
    if (request.method === 'GET' && consoleRequest.isSignedIn && !consoleRequest.isBackground) {
      consoleRequest.storedForm = await this.sessions.takeForm(consoleRequest.session, consoleRequest.path);
    }
    this.admitted.add(request);
    return true;
  }

  private async signInNeeded(
    consoleRequest: ConsoleRequest,
    request: Request,
    response: Response,
  ): Promise<AppError> {
    const { address, hasForm } = this.pageOf(consoleRequest, request);
    const signIn = `/admin/sign-in${address === '/admin' ? '' : `?return=${encodeURIComponent(address)}`}`;
    // htmx would put the page of a redirect in the place of the part that it asked for.
    if (request.get('hx-request')) return new NotSignedInError({ headers: { 'HX-Redirect': signIn } });
    if (isArrival(request)) {
      return new NotSignedInError({ message: 'The console is being opened.', headers: { Refresh: '0' } });
    }
    if (request.method === 'GET' || request.method === 'HEAD') {
      return new ElsewhereError({ headers: { Location: signIn } });
    }
    // A file is not carried over a sign-in: the person has to choose it again.
    const isCarried = hasForm && !isUpload(request);
    const fields = isCarried ? await this.fieldsToCarry(request, response) : '';
    const options = { ways: this.sessions.ways, wanted: address, fields, hint: hintOf(fields) };
    return new SignInForForm(signInPage(request, options));
  }

  /** Reads the fields of a form without a session; undefined if they are too long to be kept. */
  private async fieldsToCarry(request: Request, response: Response): Promise<string | undefined> {
    await this.limit.countForm(request);
    try {
      const fields = typedFields(await readFormOfStranger(request, response));
      return isCarriable(fields) ? fields : undefined;
    } catch (error) {
      if (error instanceof FormTooLargeError) return undefined;
      throw error;
    }
  }

  /**
   * Handles a form of another session, usually of the previous one: the operator has signed in again in another tab. The
   * console itself sent the form, as the browser has confirmed by now; so its page shows the form again, with the token of this
   * session.
   */
  private async formOfOtherSession(consoleRequest: ConsoleRequest, request: Request): Promise<AppError> {
    const { address, hasForm } = this.pageOf(consoleRequest, request);
    const fields = typedFields(consoleRequest.form);
    const isOfSession = hasForm && consoleRequest.form.has(CSRF_FIELD) && !request.get('hx-request');
    if (isOfSession && fields !== '' && fields.length <= MAX_STORED_FIELDS) {
      await this.sessions.storeForm(consoleRequest.session, { address, fields });
      return new ElsewhereError({ headers: { Location: address } });
    }
    return new NotAllowedError(
      'The form is not from your present session, so nothing was changed. Go back, reload the page and send the form again.',
    );
  }

  /** The page that a request is about: its own page, that of the form it sends, or if there is none, the page above it. */
  private pageOf(
    { path, address }: ConsoleRequest,
    { exchange }: Request,
  ): { address: string; hasForm: boolean } {
    const hasPage = this.operations
      .of('management')
      .some((each) => each.method === 'GET' && each.path === exchange.operation?.path);
    if (hasPage) return { address, hasForm: true };
    return { address: path.slice(0, path.lastIndexOf('/')), hasForm: false };
  }
}

function assertCovered(consoleRequest: ConsoleRequest, scopes: readonly string[]): void {
  const missing = scopes.filter((scope) => !consoleRequest.can(scope));
  if (missing.length > 0) {
    throw new NotAllowedError(`You do not have the scope ${missing.join(', ')}, which this page needs.`);
  }
}

function isOwnForm(request: Request, { form }: ConsoleRequest): boolean {
  const given = request.get(CSRF_HEADER) ?? form.get(CSRF_FIELD) ?? '';
  return isCsrfToken(sessionToken(request) ?? '', given);
}

/** The notice on the sign-in page about the form that was sent. */
function hintOf(fields: string | undefined): string {
  const said = 'You are no longer signed in, so nothing was changed.';
  if (fields === undefined) {
    return `${said} The form is too long to be kept during the sign-in: go back in your browser and copy your text first.`;
  }
  return fields !== '' ? `${said} After the sign-in the form is shown again as you sent it.` : said;
}

/**
 * True if the person follows a link from another site. Browsers leave out the session cookie then; they send it when the page
 * requests itself once more.
 */
function isArrival(request: Request): boolean {
  const [site, mode] = [request.get('sec-fetch-site'), request.get('sec-fetch-mode')];
  return request.method === 'GET' && mode === 'navigate' && (site === 'cross-site' || site === 'same-site');
}

/**
 * Refuses a change that a page of another origin asks for, according to the browser (Fetch Metadata, and Origin where that is
 * missing). Every browser sends one of the two with a POST; a request with neither could come from any page.
 *
 * @throws NotAllowedError
 */
function assertSameOrigin(request: Request): void {
  const site = request.get('sec-fetch-site');
  const origin = request.get('origin');
  if (site === undefined && origin === undefined) {
    throw new NotAllowedError('The browser does not say which page sent the form, so nothing was changed.');
  }
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
  const isElsewhere = origin !== undefined && !isOfHost(origin, request.headers.host);
  if (isForeign || isElsewhere) {
    throw new NotAllowedError('The form was sent by a page of another site, so nothing was changed.');
  }
}

/** Compares the host of an origin with that of a request. The scheme that the browser used is unknown behind a proxy, which may add its port. */
function isOfHost(origin: string, host = ''): boolean {
  const from = URL.parse(origin);
  return from !== null && from.host === URL.parse(`${from.protocol}//${host}`)?.host;
}
