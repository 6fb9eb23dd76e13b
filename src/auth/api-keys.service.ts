import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { isUniqueViolation } from '../platform/database/driver/driver-errors';
import { batchesOf } from '../platform/database/statements/batches';
import { createToken, hashToken, tokenHint } from '../platform/security/api-key-token';
import type { ApiKey } from './api-key.entity';
import { ApiKeyNotFoundError, ApiKeyRefusedError } from './api-keys.errors';
import { ApiKeysRepository } from './api-keys.repository';
import { MANAGING_SCOPES } from './auth.scopes';
import type { KeyFilter, KeyWindow } from './dto/key-search';
import type { IssuedApiKey, KeyView, KeyWithoutScopes, RotatedApiKey } from './dto/key-view';
import type { NewApiKey } from './dto/new-api-key';
import { fitRules } from './fit-rules';
import { type Confirmed, KeyChanges } from './key-changes';
import { KeyRequirements } from './key-requirements.service';
import { KeyPolicy } from './policy/key-policy';
import { KeySearchRepository } from './key-search.repository';
import { rulesOf, statusOf, storedRules, successorsIn, viewKey } from './view-key';

/** Name of the key that the first start makes. */
const FIRST_KEY = 'first key';

/** Keys that one statement reads by id: the number of its values is limited. */
const IDS_AT_ONCE = 500;

/** Makes, shows, rotates, disables and revokes API keys. The audit log records each change, without the token. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly found: KeySearchRepository,
    private readonly database: Database,
    private readonly changes: KeyChanges,
    private readonly requirements: KeyRequirements,
    private readonly policy: KeyPolicy,
  ) {}

  /** Every scope a key can have: those of the routes and those of the admin tooling. */
  get knownScopes(): string[] {
    return this.requirements.knownScopes;
  }

  /** @throws UnfitApiKeyError when the name is empty, a scope unknown, the expiry past or a rule invalid */
  create(wanted: NewApiKey): Promise<IssuedApiKey> {
    return this.issue(this.policy.fit(wanted), createToken(), undefined);
  }

  /** Every key, oldest first. */
  async list(): Promise<KeyView[]> {
    return (await this.keys.list()).map(viewKey);
  }

  /** Keys of one page. */
  async search(filter: KeyFilter, window: KeyWindow): Promise<KeyView[]> {
    return (await this.found.search(filter, window)).map(viewKey);
  }

  /** Counts the keys that match, up to a limit. */
  count(filter: KeyFilter, limit: number): Promise<number> {
    return this.found.count(filter, limit);
  }

  /** Some keys whose name, or the hint of whose token, begins with one of these texts. */
  async beginning(texts: readonly string[], limit: number): Promise<KeyView[]> {
    const found: ApiKey[] = [];
    for (const text of texts) found.push(...(await this.found.beginning(text, limit)));
    return found.map(viewKey);
  }

  /** Some keys by their ids; unknown ids are left out. */
  async byId(ids: Iterable<string>): Promise<ReadonlyMap<string, KeyView>> {
    const wanted = [...new Set(ids)];
    const found = new Map<string, KeyView>();
    for (const some of batchesOf(wanted, IDS_AT_ONCE)) {
      for (const key of await this.keys.withIds(some)) found.set(key.id, viewKey(key));
    }
    return found;
  }

  /** True of a key that no operator can bring back. */
  hasEnded({ status }: KeyView): boolean {
    return status === 'revoked' || status === 'expired';
  }

  /** The keys in the same chains of rotations as some keys, oldest first. */
  async ofLineages(keys: readonly Pick<KeyView, 'lineageId'>[]): Promise<KeyView[]> {
    const ids = [...new Set(keys.map(({ lineageId }) => lineageId))];
    const found: ApiKey[] = [];
    for (const some of batchesOf(ids, IDS_AT_ONCE)) found.push(...(await this.keys.ofLineages(some)));
    return found.map(viewKey);
  }

  /** The keys that have replaced some keys by rotation, by the ids of the replaced ones. */
  async successorsOf(keys: readonly KeyView[]): Promise<ReadonlyMap<string, KeyView>> {
    return successorsIn(await this.ofLineages(keys));
  }

  /** @throws ApiKeyNotFoundError */
  async show(id: string): Promise<KeyView> {
    const key = await this.keys.find(id);
    if (!key) throw new ApiKeyNotFoundError(id);
    return viewKey(key);
  }

  /** True if it is the last active key that may manage keys in the console. */
  async isLastManaging(id: string): Promise<boolean> {
    const ids = await this.keys.idsOfActive(MANAGING_SCOPES);
    return ids.length === 1 && ids[0] === id;
  }

  /**
   * Makes a successor with the same name, owner, scopes, rules and lineage; the old key goes on working for the overlap.
   *
   * @param overlapMs milliseconds for which the old key still works
   * @throws ApiKeyNotFoundError, or ApiKeyRefusedError unless the key is active
   */
  rotate(id: string, overlapMs: number): Promise<RotatedApiKey> {
    return this.database.transaction(async () => {
      const old = await this.changes.findAlive(id);
      if (old.disabledAt) throw new ApiKeyRefusedError(`The API key ${id} is disabled; enable it first.`);
      const { name, owner, scopes, expiresAt } = old;
      const now = Date.now();
      // The old key's lifetime is also its successor's, as far as the policy allows: rotation replaces a secret, it does not
      // shorten a grant.
      const lifetime = expiresAt ? expiresAt.getTime() - old.createdAt.getTime() : Infinity;
      const longest = Math.min(lifetime, this.policy.longestLifeMs ?? Infinity);
      const wanted = {
        name,
        scopes,
        ...rulesOf(old),
        ...(owner !== null && { owner }),
        ...(Number.isFinite(longest) && { expiresAt: new Date(now + longest) }),
      };
      const successor = await this.issue(
        this.policy.fit(wanted, new Date(now)),
        createToken(),
        old.lineageId,
      );
      const end = new Date(now + overlapMs);
      const endsEarlier = expiresAt !== null && expiresAt <= end;
      const predecessor = await this.changes.apply('rotate', old, {
        expiresAt: endsEarlier ? expiresAt : end,
      });
      return { ...successor, predecessor };
    });
  }

  /**
   * Refuses a key until it is enabled again, at once on this node and within seconds elsewhere. Doing so again changes nothing.
   *
   * @param reason details for the audit log besides the key as it is now
   * @throws ApiKeyNotFoundError, ApiKeyRefusedError when the key is revoked or has expired, or LastManagingKeyError unless that
   * is confirmed
   */
  disable(id: string, confirmed: Confirmed = {}, reason?: object): Promise<KeyView> {
    return this.database.transaction(async () => {
      await this.changes.assertNotLast(id, confirmed);
      const key = await this.changes.findAlive(id);
      return key.disabledAt
        ? this.changes.view(key)
        : this.changes.apply('disable', key, { disabledAt: new Date() }, reason);
    });
  }

  /**
   * Lets a disabled key work again, at once on this node and within seconds elsewhere. Doing so again changes nothing.
   *
   * @throws ApiKeyNotFoundError, or ApiKeyRefusedError when the key is revoked or has expired
   */
  enable(id: string): Promise<KeyView> {
    return this.database.transaction(async () => {
      const key = await this.changes.findAlive(id);
      return key.disabledAt
        ? this.changes.apply('enable', key, { disabledAt: null, disablesAt: null })
        : this.changes.view(key);
    });
  }

  /**
   * Ends a key for good, at once on this node and within seconds elsewhere. Doing so again changes nothing.
   *
   * @throws ApiKeyNotFoundError, or LastManagingKeyError unless that is confirmed
   */
  revoke(id: string, confirmed: Confirmed = {}): Promise<KeyView> {
    return this.database.transaction(async () => {
      await this.changes.assertNotLast(id, confirmed);
      const key = await this.changes.findLocked(id);
      return key.revokedAt
        ? this.changes.view(key)
        : this.changes.apply('revoke', key, { revokedAt: new Date() });
    });
  }

  /**
   * Makes sure that a given token works, with every scope.
   *
   * @param token a well-formed one
   * @throws ApiKeyRefusedError when it was revoked or disabled
   */
  async bootstrap(token: string): Promise<void> {
    const existing = await this.keys.findByHash(hashToken(token));
    if (existing) await this.database.transaction(() => this.renew(existing.id));
    else await this.issueBootstrap(token);
  }

  /** Makes the very first key, with every scope; undefined if there is a key already. */
  createFirst(): Promise<IssuedApiKey | undefined> {
    // In a transaction, which locks the SQLite file: of two processes that start at once one makes the key.
    return this.database.transaction(async () => {
      if (!(await this.keys.isEmpty())) return undefined;
      return this.issue({ name: FIRST_KEY, scopes: this.knownScopes }, createToken(), undefined);
    });
  }

  /** The first key, if it works and lacks scopes; features that came later have scopes of their own. */
  async firstWithoutEveryScope(): Promise<KeyWithoutScopes | undefined> {
    const key = await this.keys.newestNamed(FIRST_KEY);
    if (!key || statusOf(key, new Date()) !== 'active') return undefined;
    const every = this.knownScopes;
    const missing = every.filter((scope) => !key.scopes.includes(scope));
    return missing.length > 0 ? { id: key.id, missing, every } : undefined;
  }

  private async renew(id: string): Promise<void> {
    const key = await this.changes.findLocked(id);
    // Making it work again would undo an operator's decision.
    if (key.revokedAt) throw new ApiKeyRefusedError('BOOTSTRAP_API_KEY was revoked; set another.');
    if (key.disabledAt)
      throw new ApiKeyRefusedError('BOOTSTRAP_API_KEY is disabled; enable it or set another.');
    const scopes = this.knownScopes;
    if (key.expiresAt === null && key.scopes.join() === scopes.join()) return;
    await this.changes.apply('update', key, { scopes, expiresAt: null });
  }

  private async issueBootstrap(token: string): Promise<void> {
    try {
      await this.issue({ name: 'bootstrap', scopes: this.knownScopes }, token, undefined);
    } catch (error) {
      // Another process that starts at the same moment was first.
      if (!isUniqueViolation(error) || !(await this.keys.findByHash(hashToken(token)))) throw error;
    }
  }

  private issue(wanted: NewApiKey, token: string, lineageId: string | undefined): Promise<IssuedApiKey> {
    return this.database.transaction(async () => {
      this.requirements.assertMet(wanted);
      const id = `key_${randomBytes(8).toString('hex')}`;
      const key: ApiKey = {
        id,
        tokenHash: hashToken(token),
        hint: tokenHint(token),
        name: wanted.name,
        owner: wanted.owner ?? null,
        scopes: [...new Set(wanted.scopes)].sort(),
        lineageId: lineageId ?? id,
        createdAt: new Date(),
        expiresAt: wanted.expiresAt ?? null,
        disabledAt: null,
        revokedAt: null,
        lastUsedAt: null,
        disablesAt: null,
        ...storedRules(fitRules(wanted)),
      };
      return { key: await this.changes.add(key), token };
    });
  }
}
