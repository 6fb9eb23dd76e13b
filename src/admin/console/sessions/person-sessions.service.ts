import { hash } from 'node:crypto';
import { Inject, Injectable, Optional } from '@nestjs/common';
import pTimeout from 'p-timeout';
import { actingAs } from '../../../platform/security/actor';
import { operatorSubject } from '../../../platform/audit/subject';
import { AuditLog } from '../../../platform/audit/audit-log';
import { Database } from '../../../platform/database/database';
import { InjectLogger, type Logger } from '../../../platform/logging/logging.module';
import { wait } from '../../../platform/values/wait';
import { RepeatedFormError } from '../console.errors';
import {
  IdentityProvider,
  type Person,
  type ProvidedSession,
  type ProviderLogout,
} from './identity-provider';
import { ProviderAwayError, SignInRefusedError } from './identity-provider.errors';
import { type ProviderTokens, sealTokens, unsealTokens } from './sealed-tokens';
import type { AdminSession } from './admin-session.entity';
import { AdminSessionsRepository } from './admin-sessions.repository';
import { actorFrom, newSession, newToken, type Origin, SIGN_IN_SCOPE } from './new-session';
import { OneTimeForms } from './one-time-forms';

const ACTOR_PREFIX = 'oidc:';
/** Maximum age of a person's state, in milliseconds. Twice that is within the five minutes that are promised. */
export const CHECK_MS = 2 * 60_000;
/** Lifetime of a session without a refresh token, in milliseconds: the provider cannot be asked about it again. */
export const UNCHECKED_MS = 5 * 60_000;
/** Time since the last response of the provider for which sessions continue while it is away, in milliseconds. */
export const AWAY_MS = 3_600_000;
/** Time that a process has to ask the provider, in milliseconds; then another one may. */
const CLAIM_MS = 20_000;
/** Time that a sign-out waits for the provider to revoke the refresh token, in milliseconds. */
const REVOCATION_MS = 2_000;
/** Interval at which a request checks for the result of another one that asks the provider, in milliseconds. */
const POLL_MS = 100;

/**
 * Sessions of people who sign in by OIDC. They last while the provider knows the person, in a group that may open the console.
 */
@Injectable()
export class PersonSessions {
  constructor(
    private readonly sessions: AdminSessionsRepository,
    private readonly forms: OneTimeForms,
    @Optional() @Inject(IdentityProvider) private readonly provider: IdentityProvider | undefined,
    private readonly audit: AuditLog,
    private readonly database: Database,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * Begins a session.
   *
   * @param state the state of the sign-in, which leads to one session at most
   * @returns the token of the session
   * @throws SignInRefusedError
   */
  async begin(provided: ProvidedSession, state: string, origin: Origin): Promise<string> {
    const { person, tokens, providerSession } = provided;
    assertLetIn(person);
    const actor = actorOf(person.subject);
    const token = newToken();
    const session = newSession(token, origin, {
      actor,
      lineageId: actor,
      issuer: this.provider?.issuer ?? null,
      personName: person.name,
      scopes: person.scopes.join(' '),
      providerSession,
      sealedTokens: sealTokens(token, tokens),
    });
    try {
      await actingAs(actorFrom(origin, actor, person.name), () =>
        this.forms.once(`sign-in ${state}`, () => this.insert(session)),
      );
    } catch (error) {
      if (!(error instanceof RepeatedFormError)) throw error;
      throw new SignInRefusedError('This sign-in was already completed. Begin another sign-in.');
    }
    return token;
  }

  /**
   * Updates a session from the provider, which is asked every two minutes. While the provider is away, the session stays as it
   * was, for an hour at most.
   *
   * @param token the token of the session
   * @returns undefined if the session is over
   */
  async current(session: AdminSession, token: string): Promise<AdminSession | undefined> {
    const { provider } = this;
    if (!provider || session.issuer !== provider.issuer) return undefined;
    let known: AdminSession | null = session;
    while (known) {
      if (!hasPassed(CHECK_MS, known.checkedAt)) return known;
      if (isProviderAway(known)) return hasPassed(AWAY_MS, known.checkedAt) ? undefined : known;
      const tokens = unsealTokens(token, known.sealedTokens ?? '');
      if (tokens.refreshToken === undefined) {
        return hasPassed(UNCHECKED_MS, known.createdAt) ? undefined : known;
      }
      // Only one request asks: providers take a refresh token that is used twice for a stolen one.
      if (await this.sessions.claimCheck(known, new Date(Date.now() - CLAIM_MS))) {
        return this.check(provider, known, token, tokens);
      }
      await wait(POLL_MS);
      known = await this.sessions.findByHash(session.tokenHash);
    }
    return undefined;
  }

  /**
   * Ends sessions because the provider has ended its own.
   *
   * @throws RepeatedFormError if this logout was carried out before
   */
  endByProvider(issuer: string, { id, subject, providerSession = '' }: ProviderLogout): Promise<void> {
    return this.forms.once(`logout ${hash('sha256', id, 'hex')}`, async () => {
      const which = subject === undefined ? { providerSession } : { actor: actorOf(subject) };
      const sessions = await this.sessions.ofProvider(issuer, which);
      // A session without a known session at the provider may be the one that is meant.
      const isMeant = ({ providerSession: own }: AdminSession) => own === null || own === providerSession;
      await this.end(providerSession === '' ? sessions : sessions.filter(isMeant), 'The provider ended it.');
    });
  }

  /**
   * The address at which the browser of a session ends the session at the provider as well; undefined if there is no such page,
   * or it cannot be found now.
   */
  async endSessionUrl({ issuer, sealedTokens }: AdminSession, token: string): Promise<string | undefined> {
    if (!this.provider || issuer !== this.provider.issuer || sealedTokens === null) return undefined;
    try {
      return await this.provider.endSessionUrl(unsealTokens(token, sealedTokens));
    } catch (error) {
      // Not fatal: the session here has ended already.
      if (!(error instanceof ProviderAwayError)) {
        this.logger.warn(
          { err: error },
          'The page that ends a session at the OIDC provider could not be found.',
        );
      }
      return undefined;
    }
  }

  /** Revokes the refresh token of a session that has ended at the provider. Never fails, and takes two seconds at most. */
  async revoke({ issuer, sealedTokens }: AdminSession, token: string): Promise<void> {
    const { provider } = this;
    if (!provider || issuer !== provider.issuer || sealedTokens === null) return;
    const revoke = async () => provider.revoke(unsealTokens(token, sealedTokens));
    const revoked = revoke().catch((error: unknown) => {
      this.logger.warn({ err: error }, 'The refresh token of a session that has ended could not be revoked.');
    });
    await pTimeout(revoked, { milliseconds: REVOCATION_MS, message: false });
  }

  private async check(
    provider: IdentityProvider,
    session: AdminSession,
    token: string,
    tokens: ProviderTokens,
  ): Promise<AdminSession | undefined> {
    const keep = (renewed: ProviderTokens) =>
      this.change(session, { sealedTokens: sealTokens(token, renewed) });
    try {
      const subject = session.actor.slice(ACTOR_PREFIX.length);
      return await this.renew(session, token, await provider.refresh(tokens, subject, keep));
    } catch (error) {
      const isAway = error instanceof ProviderAwayError;
      if (isAway && !hasPassed(AWAY_MS, session.checkedAt)) return this.keepSession(session, error);
      if (!isAway && !(error instanceof SignInRefusedError)) throw error;
      this.logger.info({ sessionId: session.id, err: error.cause }, error.message);
      await this.database.transaction(() => this.end([session], error.message));
      return undefined;
    }
  }

  private async renew(
    session: AdminSession,
    token: string,
    { person, tokens }: ProvidedSession,
  ): Promise<AdminSession> {
    assertLetIn(person);
    const change = {
      personName: person.name,
      scopes: person.scopes.join(' '),
      sealedTokens: sealTokens(token, tokens),
      checkedAt: new Date(),
    };
    await this.database.transaction(async () => {
      await this.sessions.update(session.id, change);
      if (change.scopes === session.scopes) return;
      await this.audit.recordWhileReadOnly({
        action: 'sessions.change_scopes',
        subject: { type: 'sessions', id: session.id },
        before: { scopes: session.scopes?.split(' ') },
        after: { scopes: person.scopes },
      });
    });
    return Object.assign(session, change);
  }

  private async keepSession(session: AdminSession, { cause }: Error): Promise<AdminSession> {
    this.logger.warn(
      { err: cause },
      'The OIDC provider does not respond: sessions of the console continue unchanged.',
    );
    // Another request may ask, once it is time.
    await this.change(session, { checkBegunAt: new Date(Date.now() - CLAIM_MS) });
    return session;
  }

  private async change(session: AdminSession, change: Partial<AdminSession>): Promise<void> {
    await this.sessions.update(session.id, change);
    Object.assign(session, change);
  }

  private async insert(session: AdminSession): Promise<void> {
    await this.sessions.insert(session);
    const { id, actor, issuer, scopes, address, userAgent } = session;
    await this.audit.recordWhileReadOnly({
      action: 'sessions.sign_in',
      subject: { type: 'sessions', id },
      after: { issuer, scopes: scopes?.split(' '), address, userAgent },
      personal: ['address', 'userAgent'],
      person: operatorSubject(actor),
    });
  }

  private async end(sessions: readonly AdminSession[], reason: string): Promise<void> {
    for (const { id, actor, personName } of sessions) {
      await this.sessions.delete(id);
      await this.audit.recordWhileReadOnly({
        action: 'sessions.end',
        subject: { type: 'sessions', id },
        before: { actor, personName },
        after: { reason },
        personal: ['personName'],
        person: operatorSubject(actor),
      });
    }
  }
}

function assertLetIn({ scopes }: Person): void {
  if (!scopes.includes(SIGN_IN_SCOPE)) {
    throw new SignInRefusedError('You are not in a group that may open this console.');
  }
}

/** The name of a person in the audit log. */
function actorOf(subject: string): string {
  return ACTOR_PREFIX + subject;
}

/** True if the last check got no response, and it is not time for the next one. */
function isProviderAway({ checkedAt, checkBegunAt }: AdminSession): boolean {
  const hasEnded = hasPassed(CLAIM_MS, checkBegunAt) && !hasPassed(CHECK_MS, checkBegunAt);
  return hasEnded && (checkBegunAt as Date) > (checkedAt as Date);
}

function hasPassed(milliseconds: number, since: Date | null): boolean {
  return Date.now() - (since?.getTime() ?? 0) >= milliseconds;
}
