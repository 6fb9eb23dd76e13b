import { Get, Inject, Req } from '@nestjs/common';
import type { Request } from 'express';
import { InjectLogger, type Logger } from '../../../platform/logging/logging.module';
import { ConsoleController, ConsolePublic } from '../../../platform/features/console-controller.decorator';
import { type ConsoleRequest, CurrentRequest } from '../http/console-request';
import { PageNotFoundError } from '../console.errors';
import { type ConsolePage, page, seeOther, type SeeOther } from '../../../platform/features/console-page';
import { originOf } from '../sessions/new-session';
import { PersonSessions } from '../sessions/person-sessions.service';
import { sessionCookie, sessionToken } from '../http/session-cookie';
import { Sessions } from '../sessions/sessions.service';
import { SignInLimit } from '../sessions/sign-in-limit';
import { signInPage } from '../frame/sign-in-page';
import { IdentityProvider, type SignInAttempt } from '../sessions/identity-provider';
import { SignInRefusedError } from '../sessions/identity-provider.errors';
import { attemptOfBrowser, beginAttempt, endedAttempt } from './sign-in-attempt';

const FOREIGN =
  'This browser did not begin this sign-in, or has already completed the sign-in. Begin another sign-in.';

/** Leads browsers to the OIDC provider to sign in, and takes them back. */
@ConsoleController('sign-in/oidc')
@ConsolePublic()
export class OidcController {
  constructor(
    @Inject(IdentityProvider) private readonly provider: IdentityProvider | undefined,
    private readonly people: PersonSessions,
    private readonly sessions: Sessions,
    private readonly limit: SignInLimit,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  @Get()
  async begin(@Req() request: Request, @CurrentRequest() { query }: ConsoleRequest): Promise<SeeOther> {
    if (!this.provider) throw new PageNotFoundError();
    const [attempt, cookie] = beginAttempt(request, query.get('return'));
    const url = await this.provider.authorizationUrl(attempt);
    return seeOther(url, { headers: { 'Set-Cookie': cookie } });
  }

  @Get('callback')
  async callback(
    @Req() request: Request,
    @CurrentRequest() consoleRequest: ConsoleRequest,
  ): Promise<ConsolePage> {
    if (!this.provider) throw new PageNotFoundError();
    const attempt = attemptOfBrowser(request, consoleRequest.query.get('state'));
    // Any page can send a browser here, so only what the browser has begun counts.
    if (!attempt) return this.refuse(request, new SignInRefusedError(FOREIGN));
    await this.limit.countProvider(request);
    try {
      const signedIn = await this.signIn(this.provider, attempt, request, consoleRequest);
      this.limit.giveBackProvider(request);
      return signedIn;
    } catch (error) {
      if (error instanceof SignInRefusedError) return this.refuse(request, error);
      this.limit.giveBackProvider(request);
      throw error;
    }
  }

  private async signIn(
    provider: IdentityProvider,
    attempt: SignInAttempt,
    request: Request,
    { address }: ConsoleRequest,
  ): Promise<ConsolePage> {
    const provided = await provider.signIn(new URL(address, provider.origin), attempt);
    const token = await this.people.begin(provided, attempt.state, originOf(request));
    await this.sessions.forget(sessionToken(request));
    const { returnPath: path } = attempt;
    return page('/oidc/signed-in', {
      title: 'Signed in',
      headers: {
        'Set-Cookie': [sessionCookie(request, token), endedAttempt(request, attempt)],
        // Browsers do not send the session cookie with a redirect from another site; they send it when this page leads them on.
        Refresh: `0; url=${path}`,
      },
      data: { path },
    });
  }

  private async refuse(request: Request, { message, cause }: Error): Promise<ConsolePage> {
    this.logger.warn({ err: cause }, message);
    await this.sessions.recordRefusal({ type: 'people', id: 'unknown' }, message, originOf(request));
    return signInPage(request, { ways: this.sessions.ways, wanted: null, providerFault: message });
  }
}
