import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { actingAs } from '../../../platform/security/actor';
import { OnManagementPort } from '../../../platform/http/management/on-management-port.decorator';
import { ComposedResponse } from '../../../platform/http/response/composed-response';
import { InjectLogger, type Logger } from '../../../platform/logging/logging.module';
import { Public } from '../../../platform/security/access.decorators';
import { PageNotFoundError, RepeatedFormError } from '../console.errors';
import { readFormOfStranger } from '../http/read-form';
import { originOf } from '../sessions/new-session';
import { PersonSessions } from '../sessions/person-sessions.service';
import { SignInLimit } from '../sessions/sign-in-limit';
import { IdentityProvider } from '../sessions/identity-provider';
import { SignInRefusedError } from '../sessions/identity-provider.errors';

const HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
const REFUSED = JSON.stringify({
  error: 'invalid_request',
  error_description: 'The logout token is not valid, or has been used.',
});

/** Receives the OIDC provider's message that a person has signed out there (OpenID Connect Back-Channel Logout 1.0). */
@OnManagementPort()
@Public()
@Controller('admin/back-channel-logout')
export class BackChannelLogoutController {
  constructor(
    @Inject(IdentityProvider) private readonly provider: IdentityProvider | undefined,
    private readonly people: PersonSessions,
    private readonly limit: SignInLimit,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  @Post()
  async logout(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ComposedResponse> {
    const { provider } = this;
    if (!provider) throw new PageNotFoundError();
    await this.limit.countLogout(request);
    const form = await readFormOfStranger(request, response);
    const { requestId, address } = originOf(request);
    try {
      const logout = await provider.readLogout(form.get('logout_token') ?? '');
      // The token authenticates the provider, which has no name among the operators.
      await actingAs({ name: 'service', requestId, address }, () =>
        this.people.endByProvider(provider.issuer, logout),
      );
      this.limit.giveBackLogout(request);
      return new ComposedResponse(200, HEADERS, '{}');
    } catch (error) {
      if (!(error instanceof SignInRefusedError || error instanceof RepeatedFormError)) throw error;
      await this.limit.countRefusedLogout(request);
      const reason = error.cause instanceof Error ? error.cause.message : error.message;
      this.logger.warn({ reason, requestId, address }, 'A logout token was refused.');
      return new ComposedResponse(400, HEADERS, REFUSED);
    }
  }
}
