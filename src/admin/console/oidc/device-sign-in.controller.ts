import { hash } from 'node:crypto';
import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { actingAs } from '../../../platform/audit/actor';
import { InvalidBodyError } from '../../../platform/errors/http-errors';
import { OnManagementPort } from '../../../platform/http/management/on-management-port.decorator';
import { receiveBody } from '../../../platform/http/request/body-reader';
import { send } from '../../../platform/http/response/response-writer';
import { InjectLogger, type Logger } from '../../../platform/logging/logging.module';
import { Public } from '../../../platform/security/access.decorators';
import { readJson } from '../../../platform/values/json-reader';
import { assertNoBrowser, bearerSession } from '../sessions/bearer-session';
import { actorFrom, originOf } from '../sessions/new-session';
import { actorOf, PersonSessions } from '../sessions/person-sessions.service';
import { Sessions } from '../sessions/sessions.service';
import { SignInLimit } from '../sessions/sign-in-limit';
import { IdentityProvider } from '../sessions/identity-provider';
import { SignInRefusedError } from '../sessions/identity-provider.errors';

const MAX_DEVICE_CODE = 4_000;

/**
 * Signs people in on command lines, by the device flow of OAuth 2.0 (RFC 8628). The service asks the provider, with its own
 * client: a command line needs nothing but the address of the console. Nothing is stored before a person is known.
 */
@OnManagementPort()
@Public()
@Controller('admin/device-sign-in')
export class DeviceSignInController {
  constructor(
    @Inject(IdentityProvider) private readonly provider: IdentityProvider | undefined,
    private readonly people: PersonSessions,
    private readonly sessions: Sessions,
    private readonly limit: SignInLimit,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  @Post()
  async begin(@Req() request: Request, @Res() response: Response): Promise<void> {
    assertNoBrowser(request);
    readJson(await receiveBody(request, response));
    await this.limit.countBegun(request);
    sendJson(request, response, await this.providerHere.beginDeviceSignIn());
  }

  /** Reports the state of a sign-in. The request that learns that the person has completed it receives the session. */
  @Post('session')
  async complete(@Req() request: Request, @Res() response: Response): Promise<void> {
    assertNoBrowser(request);
    const deviceCode = readDeviceCode(await receiveBody(request, response));
    // Counted before the provider is asked: so every guess counts, however many come at once.
    await this.limit.count(request);
    let isRefused = false;
    try {
      sendJson(request, response, await this.progressOf(deviceCode, request));
    } catch (error) {
      isRefused = error instanceof SignInRefusedError;
      if (isRefused) await this.recordRefusal(error as Error, request);
      throw error;
    } finally {
      if (!isRefused) this.limit.giveBack(request);
    }
  }

  @Post('session/end')
  async end(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { session, operator, token } = await bearerSession(request, this.sessions);
    const actor = actorFrom(originOf(request), operator.actor, session.personName ?? undefined);
    await actingAs(actor, () => this.sessions.signOut(session));
    await this.people.revoke(session, token);
    sendJson(request, response, {});
  }

  private get providerHere(): IdentityProvider {
    if (this.provider) return this.provider;
    throw new SignInRefusedError('Signing in from a command line needs OIDC, which is not set up here.');
  }

  private async progressOf(deviceCode: string, request: Request): Promise<object> {
    if (!(await this.limit.mayAsk(deviceCode))) return { state: 'slow_down' };
    const provided = await this.providerHere.continueDeviceSignIn(deviceCode);
    if (typeof provided === 'string') return { state: provided };
    const { person } = provided;
    const token = await this.people.begin(
      provided,
      `device ${hash('sha256', deviceCode, 'hex')}`,
      originOf(request),
    );
    this.limit.giveBackBegun(request);
    return { state: 'signed_in', token, actor: actorOf(person.subject), name: person.name };
  }

  private async recordRefusal({ message, cause }: Error, request: Request): Promise<void> {
    this.logger.warn({ err: cause }, message);
    await this.sessions.recordRefusal({ type: 'people', id: 'unknown' }, message, originOf(request));
  }
}

/** Reads the device code of a request. @throws InvalidBodyError */
function readDeviceCode(body: Buffer): string {
  const { deviceCode } = (readJson(body) ?? {}) as Record<string, unknown>;
  if (typeof deviceCode === 'string' && deviceCode !== '' && deviceCode.length <= MAX_DEVICE_CODE) {
    return deviceCode;
  }
  throw new InvalidBodyError('The body must be a JSON object with the text deviceCode.');
}

function sendJson(request: Request, response: Response, value: object): void {
  send(request, response, 200, JSON.stringify(value), 'no-store');
}
