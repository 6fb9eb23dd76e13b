import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { Settings } from '../../platform/config/settings';
import { InjectSettings } from '../../platform/config/settings.module';
import { OPEN_METADATA, SCOPES_METADATA } from './console-metadata';
import { ConsoleRefusal } from './console-refusal';
import { readForm } from './form-body';
import { assertAllowedHost, assertSameOrigin } from './request-origin';
import { CSRF_FIELD, CSRF_HEADER, isCsrfToken } from './sessions/csrf';
import { enterSession } from './sessions/enter-session';
import { sessionToken } from './sessions/session-cookie';
import { Sessions } from './sessions/sessions.service';
import { Visit } from './visit';

/** Who may see and do what in the console. It reads forms, too, whose token it has to judge. */
@Injectable()
export class ConsoleGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: Sessions,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /** @throws ConsoleRefusal */
  async canActivate(context: ExecutionContext): Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const isChange = request.method !== 'GET' && request.method !== 'HEAD';
    assertAllowedHost(request, this.settings.managementAllowedHosts);
    if (isChange) assertSameOrigin(request);
    const visit = new Visit(request);
    request.visit = visit;

    const targets = [context.getHandler(), context.getClass()];
    const isOpen = this.reflector.getAllAndOverride<boolean | undefined>(OPEN_METADATA, targets) ?? false;
    if (!isOpen) {
      if (!(await enterSession(visit, request, this.sessions))) throw signInNeeded(visit, request);
      const scopes = this.reflector.getAllAndOverride<string[] | undefined>(SCOPES_METADATA, targets) ?? [];
      assertCovered(visit, scopes);
    }
    if (isChange) visit.form = await readForm(request, http.getResponse<Response>());
    if (isChange && !isOpen) assertOwnForm(request, visit);
    return true;
  }
}

function assertCovered(visit: Visit, scopes: readonly string[]): void {
  const missing = scopes.filter((scope) => !visit.can(scope));
  if (missing.length > 0) {
    throw new ConsoleRefusal(
      403,
      `Your API key does not have the scope ${missing.join(', ')}, which this needs.`,
    );
  }
}

function assertOwnForm(request: Request, { form }: Visit): void {
  const given = request.get(CSRF_HEADER) ?? form.get(CSRF_FIELD) ?? '';
  if (!isCsrfToken(sessionToken(request) ?? '', given)) {
    throw new ConsoleRefusal(
      403,
      'The form is not from your present session, so nothing was changed. Go back, reload the page and send it again.',
    );
  }
}

function signInNeeded(visit: Visit, request: Request): ConsoleRefusal {
  const wanted = visit.path === '/admin' ? '' : `?return=${encodeURIComponent(visit.address)}`;
  const signIn = `/admin/sign-in${wanted}`;
  // htmx would put the page it is led to where it wanted a part of this one.
  if (request.get('hx-request')) return new ConsoleRefusal(401, 'Please sign in.', { 'HX-Redirect': signIn });
  if (isArrival(request)) return new ConsoleRefusal(401, 'The console is being opened.', { Refresh: '0' });
  if (request.method === 'GET' || request.method === 'HEAD') {
    return new ConsoleRefusal(303, 'Please sign in.', { Location: signIn });
  }
  return new ConsoleRefusal(
    401,
    'You are not signed in any more, so nothing was changed. Sign in and send it again.',
  );
}

/**
 * Whether somebody follows a link from elsewhere. Browsers leave out the cookie of the session then; they send it when the page
 * asks for itself once more.
 */
function isArrival(request: Request): boolean {
  const [site, mode] = [request.get('sec-fetch-site'), request.get('sec-fetch-mode')];
  return request.method === 'GET' && mode === 'navigate' && (site === 'cross-site' || site === 'same-site');
}
