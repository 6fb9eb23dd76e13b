import { Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { clientAddress } from '../../../platform/http/client-address';
import { requestIdOf } from '../../../platform/http/request-id';
import { ConsoleController, OpenToAnybody } from '../console-controller.decorator';
import { type Page, page, seeOther, type SeeOther } from '../page';
import { readReturnPath } from '../return-path';
import { CurrentVisit, type Visit } from '../visit';
import { endedSessionCookie, keepsSession, sessionCookie, sessionToken } from './session-cookie';
import { SignInLimit } from './sign-in-limit';
import { Sessions } from './sessions.service';

/** Signing in with an API key, and out again. */
@ConsoleController()
export class SessionsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly limit: SignInLimit,
  ) {}

  @Get('sign-in')
  @OpenToAnybody()
  form(@Req() request: Request, @CurrentVisit() { query }: Visit): Page {
    return signInPage(request, query.get('return'));
  }

  @Post('sign-in')
  @OpenToAnybody()
  async signIn(@Req() request: Request, @CurrentVisit() { form }: Visit): Promise<Page | SeeOther> {
    await this.limit.count(request);
    let token: string | undefined;
    let isJudged = false;
    try {
      token = await this.sessions.signIn(form.get('key')?.trim() ?? '', {
        address: clientAddress(request),
        requestId: requestIdOf(request),
        userAgent: request.get('user-agent') ?? '',
      });
      isJudged = true;
    } finally {
      if (!isJudged || token !== undefined) this.limit.giveBack(request);
    }
    // One sentence for every refusal, so that nothing tells a guessed key from one that lacks a scope.
    if (token === undefined)
      return signInPage(request, form.get('return'), 'This API key does not open the console.');
    await this.endPrevious(request);
    const headers = { 'Set-Cookie': sessionCookie(request, token) };
    return seeOther(readReturnPath(form.get('return')), { headers });
  }

  /** Nobody goes on with the session a browser had before. */
  private async endPrevious(request: Request): Promise<void> {
    const previous = sessionToken(request);
    if (previous !== undefined) await this.sessions.forget(previous);
  }

  @Post('sign-out')
  async signOut(@Req() request: Request, @CurrentVisit() { session }: Visit): Promise<SeeOther> {
    await this.sessions.signOut(session);
    return signedOut(request);
  }

  @Get('sessions')
  async list(@CurrentVisit() { key, session }: Visit): Promise<Page> {
    const sessions = await this.sessions.ofLineage(key.lineageId);
    return page('/sessions/sessions', { title: 'Your sessions', data: { sessions, current: session.id } });
  }

  @Post('sign-out-everywhere')
  async signOutEverywhere(@Req() request: Request, @CurrentVisit() { session }: Visit): Promise<SeeOther> {
    await this.sessions.signOutEverywhere(session);
    return signedOut(request);
  }
}

function signInPage(request: Request, wanted: string | null, fault?: string): Page {
  const data = { wanted: readReturnPath(wanted), fault, keepsSession: keepsSession(request) };
  return page('/sessions/sign-in', { title: 'Sign in', status: fault ? 401 : 200, data });
}

function signedOut(request: Request): SeeOther {
  return seeOther('/admin/sign-in', { headers: { 'Set-Cookie': endedSessionCookie(request) } });
}
