import { Inject, Injectable, Optional } from '@nestjs/common';
import { KeySignIn, type SignedInKey } from '../../../auth/key-sign-in.service';
import { actingAs } from '../../../platform/security/actor';
import { type AuditedChange, AuditLog } from '../../../platform/audit/audit-log';
import { operatorSubject } from '../../../platform/audit/subject';
import type { Settings } from '../../../platform/config/settings';
import { InjectSettings } from '../../../platform/config/settings.module';
import { Database } from '../../../platform/database/database';
import { InjectLogger, type Logger } from '../../../platform/logging/logging.module';
import { NotAllowedError } from '../console.errors';
import { IdentityProvider } from './identity-provider';
import { AdminSession } from './admin-session.entity';
import { AdminSessionsRepository } from './admin-sessions.repository';
import { actorFrom, tokenHash, newSession, newToken, type Origin, SIGN_IN_SCOPE } from './new-session';
import { PersonSessions } from './person-sessions.service';
import { type StoredForm, pathOf } from './stored-form';
import { SignInLimit } from './sign-in-limit';

/** Time without use after which a session ends, in milliseconds. */
export const IDLE_MS = 30 * 60_000;
/** Maximum lifetime of a session after its sign-in, in milliseconds. */
export const LONGEST_MS = 12 * 3_600_000;
/** Precision of the last use of a session, in milliseconds. An exact time would cost a write for each request. */
const SEEN_PRECISION_MS = 60_000;

/** The ways in which people may sign in. */
export interface SignInWays {
  /** The OIDC provider, by its name, and the web origin at which a sign-in with it begins. */
  readonly provider: { readonly name: string; readonly origin: string } | undefined;
  readonly allowsKeys: boolean;
}

/** The person who is signed in, with the name and scopes that their key or the OIDC provider gives them now. */
export interface Operator {
  /** The actor in the audit log: `key_…`, or `oidc:<subject>`. */
  readonly actor: string;
  readonly name: string;
  readonly scopes: ReadonlySet<string>;
  /** True for an API key where people sign in by OIDC. */
  readonly isEmergency: boolean;
}

/** A session with its operator. */
export interface OpenSession {
  readonly session: AdminSession;
  readonly operator: Operator;
}

/**
 * Begins, finds and ends sessions of the console. They are in the database: any process of any node may get the next request.
 */
@Injectable()
export class Sessions {
  constructor(
    private readonly sessions: AdminSessionsRepository,
    private readonly signIns: KeySignIn,
    private readonly audit: AuditLog,
    private readonly database: Database,
    private readonly limit: SignInLimit,
    private readonly people: PersonSessions,
    @Optional() @Inject(IdentityProvider) private readonly provider: IdentityProvider | undefined,
    @InjectSettings() private readonly settings: Settings,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** The ways in which people may sign in. */
  get ways(): SignInWays {
    return { provider: this.provider, allowsKeys: this.settings.consoleKeySignIn };
  }

  /**
   * Begins a session for a person with a valid key. Refusals are recorded, unless there is a flood of them.
   *
   * @param text the key as typed
   * @param stored a form for its page to show again
   * @returns the token of the session, or undefined if the sign-in is refused
   * @throws RateLimitedError if this key was refused too often, and NotAllowedError where keys do not open the console
   */
  async signIn(text: string, origin: Origin, stored?: StoredForm): Promise<string | undefined> {
    const key = await this.keyThatMaySignIn(text, origin);
    if (!key) return undefined;
    const { keyId, lineageId } = key;
    const token = newToken();
    const storedForm = stored ? JSON.stringify(stored) : null;
    const session = newSession(token, origin, { actor: keyId, lineageId, storedForm });
    const isEmergency = this.provider !== undefined;
    await actingAs(actorFrom(origin, keyId), () =>
      this.database.transaction(async () => {
        await this.sessions.insert(session);
        const { id, address, userAgent } = session;
        await this.audit.recordWhileReadOnly({
          action: isEmergency ? 'sessions.sign_in_by_key' : 'sessions.sign_in',
          subject: { type: 'sessions', id },
          after: { keyId, address, userAgent },
          personal: ['address', 'userAgent'],
          person: operatorSubject(keyId),
        });
      }),
    );
    if (isEmergency) {
      this.logger.warn(
        { keyId, address: origin.address },
        'An API key was used to sign in to the console instead of OIDC.',
      );
    }
    return token;
  }

  /**
   * Finds the session of a token; undefined if there is none, it has timed out, or its key or person may not open the console
   * any more.
   *
   * @param address the address from which the request comes
   * @param isSeen true if a person uses the session: requests that a page sends by itself do not keep it alive
   */
  async find(token: string, address: string, isSeen: boolean): Promise<OpenSession | undefined> {
    const session = await this.sessions.findByHash(tokenHash(token));
    if (!session || hasTimedOut(session)) return undefined;
    const open =
      session.issuer === null ? await this.ofKey(session, address) : await this.ofPerson(session, token);
    if (!open?.operator.scopes.has(SIGN_IN_SCOPE)) return undefined;
    const now = new Date();
    if (isSeen && now.getTime() - session.lastSeenAt.getTime() >= SEEN_PRECISION_MS) {
      await this.sessions.update(session.id, { lastSeenAt: now });
    }
    return open;
  }

  /** Ends the session of a token, if any, because another session takes its place. */
  async forget(token: string | undefined): Promise<void> {
    if (token === undefined) return;
    const session = await this.sessions.findByHash(tokenHash(token));
    if (session) await this.sessions.delete(session.id);
  }

  /**
   * The sessions of the same person, or of the same key and its predecessors and successors, that have not timed out, newest
   * first.
   */
  async ofLineage(lineageId: string): Promise<AdminSession[]> {
    const sessions = await this.sessions.ofLineage(lineageId);
    return sessions.filter((session) => !hasTimedOut(session));
  }

  /** Ends a session, and records the current actor. */
  signOut({ id }: AdminSession): Promise<void> {
    return this.database.transaction(async () => {
      if (!(await this.sessions.delete(id))) return;
      await this.audit.recordWhileReadOnly({
        action: 'sessions.sign_out',
        subject: { type: 'sessions', id },
      });
    });
  }

  /** Ends all sessions of the same person, or of the same key and its predecessors and successors. */
  signOutEverywhere({ lineageId, actor, issuer }: AdminSession): Promise<void> {
    return this.database.transaction(async () => {
      const ended = await this.sessions.deleteLineage(lineageId);
      await this.audit.recordWhileReadOnly({
        action: 'sessions.sign_out_everywhere',
        subject: { type: issuer === null ? 'keys' : 'people', id: actor },
        after: { ended },
      });
    });
  }

  /** Stores the notice for the next page of a session. */
  storeNotice(sessionId: string, notice: string): Promise<void> {
    return this.sessions.update(sessionId, { notice });
  }

  /** Returns the stored notice, if any, and clears it. */
  async takeNotice(session: AdminSession): Promise<string | undefined> {
    if (session.notice === null) return undefined;
    await this.sessions.update(session.id, { notice: null });
    return session.notice;
  }

  /** Stores a form, for its page to show again. */
  storeForm({ id }: AdminSession, stored: StoredForm): Promise<void> {
    return this.sessions.update(id, { storedForm: JSON.stringify(stored) });
  }

  /** Returns the fields stored for the form of a page, if any, and clears them. */
  async takeForm({ id, storedForm }: AdminSession, path: string): Promise<URLSearchParams | undefined> {
    if (storedForm === null) return undefined;
    const { address, fields } = JSON.parse(storedForm) as StoredForm;
    if (pathOf(address) !== path) return undefined;
    await this.sessions.update(id, { storedForm: null });
    return new URLSearchParams(fields);
  }

  /** Records a sign-in that was refused, unless there is a flood of refusals. */
  async recordRefusal(subject: AuditedChange['subject'], reason: string, origin: Origin): Promise<void> {
    if (!(await this.limit.mayRecord(subject.type))) return;
    await actingAs(actorFrom(origin, String(subject.id)), () =>
      this.database.transaction(() =>
        this.audit.recordWhileReadOnly({ action: 'sessions.sign_in_refused', subject, after: { reason } }),
      ),
    );
  }

  private async ofKey(session: AdminSession, address: string): Promise<OpenSession | undefined> {
    const key = this.settings.consoleKeySignIn ? await this.signIns.find(session.actor, address) : null;
    if (!key) return undefined;
    const { keyId: actor, name, scopes } = key;
    return { session, operator: { actor, name, scopes, isEmergency: this.provider !== undefined } };
  }

  private async keyThatMaySignIn(text: string, origin: Origin): Promise<SignedInKey | undefined> {
    if (!this.settings.consoleKeySignIn) {
      throw new NotAllowedError('Signing in with API keys is disabled for this console.');
    }
    const verdict = await this.signIns.validate(text, origin.address);
    if ('refusal' in verdict) return this.refuse(text, origin, verdict.keyId, verdict.refusal);
    const { key } = verdict;
    if (key.scopes.has(SIGN_IN_SCOPE)) return key;
    return this.refuse(text, origin, key.keyId, `lacks ${SIGN_IN_SCOPE}`);
  }

  private async ofPerson(session: AdminSession, token: string): Promise<OpenSession | undefined> {
    const current = await this.people.current(session, token);
    if (!current) return undefined;
    const { actor, personName, scopes } = current;
    const operator = {
      actor,
      name: personName ?? actor,
      scopes: new Set(scopes?.split(' ')),
      isEmergency: false,
    };
    return { session: current, operator };
  }

  private async refuse(
    text: string,
    origin: Origin,
    keyId: string | undefined,
    reason: string,
  ): Promise<undefined> {
    await this.limit.countRefused(text);
    await this.recordRefusal({ type: 'keys', id: keyId ?? 'unknown' }, reason, origin);
  }
}

/** True if a session has ended by the clock. */
function hasTimedOut({ lastSeenAt, createdAt }: AdminSession): boolean {
  const now = Date.now();
  return now - lastSeenAt.getTime() > IDLE_MS || now - createdAt.getTime() > LONGEST_MS;
}
