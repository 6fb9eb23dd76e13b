import { hash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KeySignIn, type SignedInKey } from '../../../auth/key-sign-in.service';
import { actingAs, type Actor } from '../../../platform/audit/actor';
import { AuditLog } from '../../../platform/audit/audit-log';
import { Database } from '../../../platform/database/database';
import { AdminSession } from './admin-session.entity';
import { AdminSessionsRepository } from './admin-sessions.repository';
import { type StoredForm, pathOf } from './stored-form';
import { SignInLimit } from './sign-in-limit';

/** A session ends when it was not used for so long, in milliseconds. */
export const IDLE_MS = 30 * 60_000;
/** A session ends so long after its sign-in, in milliseconds. */
export const LONGEST_MS = 12 * 3_600_000;
/** How exactly the last use of a session is known, in milliseconds. An exact time would cost a write for each request. */
const SEEN_PRECISION_MS = 60_000;

const MAX_USER_AGENT = 300;
/** The scope a key needs to sign in. */
export const SIGN_IN_SCOPE = 'admin:read';

/** Where a person signs in from. */
export interface Origin {
  readonly address: string;
  readonly requestId: string;
  readonly userAgent: string;
}

/** A session and the key it was begun with, as the key is now. */
export interface OpenSession {
  readonly session: AdminSession;
  readonly key: SignedInKey;
}

/** Who is signed in to the console. Sessions are in the database: any process of any node may get the next request. */
@Injectable()
export class Sessions {
  constructor(
    private readonly sessions: AdminSessionsRepository,
    private readonly signIns: KeySignIn,
    private readonly audit: AuditLog,
    private readonly database: Database,
    private readonly limit: SignInLimit,
  ) {}

  /**
   * Begins a session for a person with a valid key; refusals are recorded, unless there is a flood of them.
   *
   * @param text what was given for a key
   * @param stored a form that its page is to show again
   * @returns the token of the session, or undefined when the sign-in is refused
   * @throws RateLimitedError when this was refused too often
   */
  async signIn(text: string, origin: Origin, stored?: StoredForm): Promise<string | undefined> {
    const verdict = await this.signIns.validate(text);
    if ('refusal' in verdict) return this.refuse(text, origin, verdict.keyId, verdict.refusal);
    const { key } = verdict;
    if (!key.scopes.has(SIGN_IN_SCOPE)) {
      return this.refuse(text, origin, key.keyId, `lacks ${SIGN_IN_SCOPE}`);
    }
    const token = randomBytes(32).toString('base64url');
    const now = new Date();
    const session: AdminSession = {
      id: `ses_${randomBytes(8).toString('hex')}`,
      tokenHash: hashOf(token),
      keyId: key.keyId,
      lineageId: key.lineageId,
      createdAt: now,
      lastSeenAt: now,
      address: origin.address,
      userAgent: origin.userAgent.slice(0, MAX_USER_AGENT),
      notice: null,
      storedForm: stored ? JSON.stringify(stored) : null,
    };
    await actingAs(actorOf(key.keyId, origin), () =>
      this.database.transaction(async () => {
        await this.sessions.insert(session);
        const { keyId, address, userAgent } = session;
        await this.audit.recordWhileReadOnly({
          action: 'sessions.sign_in',
          subject: { type: 'sessions', id: session.id },
          after: { keyId, address, userAgent },
        });
      }),
    );
    return token;
  }

  /**
   * The session of a token; undefined when there is none, it has timed out, or its key is not valid any more.
   *
   * @param isSeen whether a person uses it: what a page requests by itself keeps no session alive
   */
  async find(token: string, isSeen = true): Promise<OpenSession | undefined> {
    const session = await this.sessions.findByHash(hashOf(token));
    if (!session || hasTimedOut(session)) return undefined;
    const key = await this.signIns.find(session.keyId);
    if (!key?.scopes.has(SIGN_IN_SCOPE)) return undefined;
    const now = new Date();
    if (isSeen && now.getTime() - session.lastSeenAt.getTime() >= SEEN_PRECISION_MS) {
      await this.sessions.update(session.id, { lastSeenAt: now });
    }
    return { session, key };
  }

  /** Ends the session of a token, if there is one, because another takes its place. */
  async forget(token: string): Promise<void> {
    const session = await this.sessions.findByHash(hashOf(token));
    if (session) await this.sessions.delete(session.id);
  }

  /** The sessions of the same key or its predecessors and successors that have not timed out, newest first. */
  async ofLineage(lineageId: string): Promise<AdminSession[]> {
    const sessions = await this.sessions.ofLineage(lineageId);
    return sessions.filter((session) => !hasTimedOut(session));
  }

  /** Ends a session, and records the actor that the work is done for. */
  signOut({ id }: AdminSession): Promise<void> {
    return this.database.transaction(async () => {
      if (!(await this.sessions.delete(id))) return;
      await this.audit.recordWhileReadOnly({
        action: 'sessions.sign_out',
        subject: { type: 'sessions', id },
      });
    });
  }

  /** Ends every session of the same key or its predecessors and successors. */
  signOutEverywhere({ lineageId, keyId }: AdminSession): Promise<void> {
    return this.database.transaction(async () => {
      const ended = await this.sessions.deleteLineage(lineageId);
      await this.audit.recordWhileReadOnly({
        action: 'sessions.sign_out_everywhere',
        subject: { type: 'keys', id: keyId },
        after: { ended },
      });
    });
  }

  /** Stores what the next page of a session is to show. */
  storeNotice(sessionId: string, notice: string): Promise<void> {
    return this.sessions.update(sessionId, { notice });
  }

  /** Takes what was stored. */
  async takeNotice(session: AdminSession): Promise<string | undefined> {
    if (session.notice === null) return undefined;
    await this.sessions.update(session.id, { notice: null });
    return session.notice;
  }

  /** Stores a form, for its page to show it again. */
  storeForm({ id }: AdminSession, stored: StoredForm): Promise<void> {
    return this.sessions.update(id, { storedForm: JSON.stringify(stored) });
  }

  /** Takes what was typed into the form of a page, when it is to show it again. */
  async takeForm({ id, storedForm }: AdminSession, path: string): Promise<URLSearchParams | undefined> {
    if (storedForm === null) return undefined;
    const { address, fields } = JSON.parse(storedForm) as StoredForm;
    if (pathOf(address) !== path) return undefined;
    await this.sessions.update(id, { storedForm: null });
    return new URLSearchParams(fields);
  }

  private async refuse(
    text: string,
    origin: Origin,
    keyId: string | undefined,
    reason: string,
  ): Promise<undefined> {
    await this.limit.countRefused(text);
    if (!(await this.limit.mayRecord())) return;
    await actingAs(actorOf(keyId ?? 'unknown', origin), () =>
      this.database.transaction(() =>
        this.audit.recordWhileReadOnly({
          action: 'sessions.sign_in_refused',
          subject: { type: 'keys', id: keyId ?? 'unknown' },
          after: { reason },
        }),
      ),
    );
  }
}

/** Whether it is over by the clock. */
function hasTimedOut({ lastSeenAt, createdAt }: AdminSession): boolean {
  const now = Date.now();
  return now - lastSeenAt.getTime() > IDLE_MS || now - createdAt.getTime() > LONGEST_MS;
}

function actorOf(name: string, { requestId, address }: Origin): Actor {
  return { name, requestId, address };
}

function hashOf(token: string): string {
  return hash('sha256', token, 'hex');
}
