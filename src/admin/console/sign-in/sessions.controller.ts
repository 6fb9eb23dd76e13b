import { Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { RateLimitedError } from '../../../platform/errors/http-errors';
import { ConsoleController, ConsolePublic } from '../../../platform/features/console-controller.decorator';
import { type ConsolePage, page, seeOther, type SeeOther } from '../../../platform/features/console-page';
import { PageNotFoundError } from '../console.errors';
import { readFormOfStranger } from '../http/read-form';
import { readReturnPath } from '../http/return-path';
import { CurrentRequest, type ConsoleRequest } from '../http/console-request';
import { browserName } from './browser-name';
import { originOf } from '../sessions/new-session';
import { PersonSessions } from '../sessions/person-sessions.service';
import { endedSessionCookie, sessionCookie, sessionToken } from '../http/session-cookie';
import { SignInLimit } from '../sessions/sign-in-limit';
import { signInPage } from '../frame/sign-in-page';
import { Sessions } from '../sessions/sessions.service';

/** Signs people in with an API key, signs them out, and lists their sessions. */
@ConsoleController()
export class SessionsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly people: PersonSessions,
    private readonly limit: SignInLimit,
  ) {}

  @Get('sign-in')
  @ConsolePublic()
  form(@Req() request: Request, @CurrentRequest() { query }: ConsoleRequest): ConsolePage {
    return signInPage(request, { ways: this.sessions.ways, wanted: query.get('return') });
  }

  @Post('sign-in')
  @ConsolePublic()
  async signIn(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ConsolePage | SeeOther> {
    await this.limit.countKey(request);
    const form = await readFormOfStranger(request, response);
    const wanted = form.get('return');
    const fields = form.get('fields') ?? '';
    const address = readReturnPath(wanted);
    let token: string | undefined;
    let isRefused = false;
    try {
      const stored = fields === '' ? undefined : { address, fields };
      token = await this.sessions.signIn(form.get('key')?.trim() ?? '', originOf(request), stored);
      isRefused = token === undefined;
    } catch (error) {
      isRefused = error instanceof RateLimitedError;
      throw error;
    } finally {
      if (!isRefused) this.limit.giveBackKey(request);
    }
    // One sentence for all refusals: none must distinguish a guessed key from one that lacks a scope.
    if (token === undefined) {
      const fault = 'This API key does not open the console.';
      return signInPage(request, { ways: this.sessions.ways, wanted, fields, fault });
    }
    // The previous session would stay open otherwise, although the browser's cookie for it is replaced.
    await this.sessions.forget(sessionToken(request));
    const headers = { 'Set-Cookie': sessionCookie(request, token) };
    return seeOther(address, { headers });
  }

  @Post('sign-out')
  async signOut(
    @Req() request: Request,
    @CurrentRequest() { session }: ConsoleRequest,
  ): Promise<ConsolePage | SeeOther> {
    await this.sessions.signOut(session);
    return this.signedOut(request, session);
  }

  @Get('sessions')
  async list(@CurrentRequest() { session }: ConsoleRequest): Promise<ConsolePage> {
    const sessions = await this.sessions.ofLineage(session.lineageId);
    const data = { sessions, current: session.id, browserName };
    return page('/sign-in/sessions', { title: 'Your sessions', data });
  }

  /** Ends one session of the same person. */
  @Post('sessions/:id/end')
  async end(@Param('id') id: string, @CurrentRequest() { session: own }: ConsoleRequest): Promise<SeeOther> {
    const sessions = await this.sessions.ofLineage(own.lineageId);
    const session = sessions.find((each) => each.id === id);
    if (!session) throw new PageNotFoundError('This session has already ended.');
    await this.sessions.signOut(session);
    return seeOther('/admin/sessions', {
      notice: `The session of ${browserName(session.userAgent)} has ended.`,
    });
  }

  @Post('sign-out-everywhere')
  async signOutEverywhere(
    @Req() request: Request,
    @CurrentRequest() { session }: ConsoleRequest,
  ): Promise<ConsolePage | SeeOther> {
    await this.sessions.signOutEverywhere(session);
    return this.signedOut(request, session);
  }

  private async signedOut(
    request: Request,
    session: ConsoleRequest['session'],
  ): Promise<ConsolePage | SeeOther> {
    const headers = { 'Set-Cookie': endedSessionCookie(request) };
    const token = sessionToken(request) ?? '';
    const [url] = await Promise.all([
      this.people.endSessionUrl(session, token),
      this.people.revoke(session, token),
    ]);
    if (url === undefined) return seeOther('/admin/sign-in', { headers });
    // Browsers do not follow a redirect of a form to another site (form-action of our policy), so a page leads on by itself.
    return page('/sign-in/signed-out', {
      title: 'Signed out',
      headers: { ...headers, Refresh: `0; url=${url}` },
      data: { url, name: this.sessions.ways.provider?.name },
    });
  }
}
