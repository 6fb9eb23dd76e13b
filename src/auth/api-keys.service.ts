import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { changeScope } from '../platform/admin/admin-records';
import { Database } from '../platform/database/database';
import { isUniqueViolation } from '../platform/database/driver-errors';
import { importedRecords } from '../platform/feature.decorator';
import { OperationRegistry } from '../platform/http/operation-registry';
import { createToken, hashToken, tokenHint } from '../platform/security/api-key-token';
import type { ApiKey } from './api-key.entity';
import { ApiKeyNotFound, ApiKeyRefusal } from './api-keys.errors';
import { ApiKeysRepository } from './api-keys.repository';
import { ADMIN_SCOPES } from './auth.scopes';
import { KeyCache } from './key-cache';

/** What is asked for when a key is made. */
export interface NewApiKey {
  readonly name: string;
  readonly owner?: string;
  readonly scopes: readonly string[];
  /** Unset: it does not expire. */
  readonly expiresAt?: Date;
}

/** A key that was just made: the only moment its token can be seen. */
export interface IssuedApiKey {
  readonly key: ApiKey;
  readonly token: string;
}

/** Makes, shows, rotates and revokes API keys. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly database: Database,
    private readonly registry: OperationRegistry,
    private readonly cache: KeyCache,
  ) {}

  /** Every scope a key can have: those of the routes, and those of the admin tooling and the records it changes. */
  get knownScopes(): string[] {
    const changes = importedRecords().map(changeScope);
    return [...new Set([...this.registry.scopes, ...ADMIN_SCOPES, ...changes])].sort();
  }

  /** @throws ApiKeyRefusal when a scope is unknown or the expiry has passed */
  async create(wanted: NewApiKey): Promise<IssuedApiKey> {
    return this.issue(wanted, createToken(), undefined);
  }

  list(): Promise<ApiKey[]> {
    return this.keys.list();
  }

  /** @throws ApiKeyNotFound */
  async show(id: string): Promise<ApiKey> {
    const key = await this.keys.find(id);
    if (!key) throw new ApiKeyNotFound(id);
    return key;
  }

  /**
   * Makes a successor with the same name, owner, scopes and lineage; the old key lives on for the overlap.
   *
   * @param overlapMs how long the old key still works, in milliseconds
   * @throws ApiKeyNotFound, or ApiKeyRefusal when the key is revoked or has expired
   */
  rotate(id: string, overlapMs: number): Promise<IssuedApiKey> {
    return this.database.transaction(async () => {
      const old = await this.show(id);
      const now = new Date();
      if (old.revokedAt) throw new ApiKeyRefusal(`The API key ${id} is revoked; make a new one instead.`);
      if (old.expiresAt && old.expiresAt <= now) {
        throw new ApiKeyRefusal(`The API key ${id} has expired; make a new one instead.`);
      }
      const { name, owner, scopes, expiresAt } = old;
      // The old key's lifetime is also its successor's: rotation replaces a secret, it does not shorten a grant.
      const lifetime = expiresAt && expiresAt.getTime() - old.createdAt.getTime();
      const successor = await this.issue(
        {
          name,
          scopes,
          ...(owner !== null && { owner }),
          ...(lifetime !== null && { expiresAt: new Date(now.getTime() + lifetime) }),
        },
        createToken(),
        old.lineageId,
      );
      const end = new Date(now.getTime() + overlapMs);
      if (!expiresAt || end < expiresAt) await this.keys.update(id, { expiresAt: end });
      this.cache.forget(old.tokenHash);
      return successor;
    });
  }

  /** Ends a key, at once on this node and within seconds elsewhere. Revoking it again changes nothing. */
  async revoke(id: string): Promise<ApiKey> {
    const key = await this.show(id);
    if (!key.revokedAt) {
      key.revokedAt = new Date();
      await this.keys.update(id, { revokedAt: key.revokedAt });
    }
    this.cache.forget(key.tokenHash);
    return key;
  }

  /**
   * Sees to it that a given token works, with every scope.
   *
   * @param token a well-formed one
   * @throws ApiKeyRefusal when it was revoked
   */
  async bootstrap(token: string): Promise<void> {
    const existing = await this.keys.findByHash(hashToken(token));
    if (existing?.revokedAt) throw new ApiKeyRefusal('BOOTSTRAP_API_KEY was revoked; give another.');
    if (existing) await this.keys.update(existing.id, { scopes: this.knownScopes, expiresAt: null });
    else await this.issueBootstrap(token);
  }

  private async issueBootstrap(token: string): Promise<void> {
    try {
      await this.issue({ name: 'bootstrap', scopes: this.knownScopes }, token, undefined);
    } catch (error) {
      // Another process that starts at the same moment was first.
      if (!isUniqueViolation(error) || !(await this.keys.findByHash(hashToken(token)))) throw error;
    }
  }

  /** Makes the very first key, with every scope; undefined when there is a key already. */
  createFirst(): Promise<IssuedApiKey | undefined> {
    // In a transaction, which locks the SQLite file: of two processes that start at once one makes the key.
    return this.database.transaction(async () => {
      if (!(await this.keys.isEmpty())) return undefined;
      return this.create({ name: 'first key', scopes: this.knownScopes });
    });
  }

  private async issue(
    wanted: NewApiKey,
    token: string,
    lineageId: string | undefined,
  ): Promise<IssuedApiKey> {
    this.assertGrantable(wanted);
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
      revokedAt: null,
      lastUsedAt: null,
    };
    await this.keys.insert(key);
    // A given token may have been refused, and remembered so, before it was made good.
    this.cache.forget(key.tokenHash);
    return { key, token };
  }

  private assertGrantable({ name, scopes, expiresAt }: NewApiKey): void {
    if (name.trim() === '') throw new ApiKeyRefusal('An API key needs a name.');
    if (scopes.length === 0) throw new ApiKeyRefusal('An API key needs at least one scope.');
    const unknown = scopes.find((scope) => !this.knownScopes.includes(scope));
    if (unknown !== undefined) {
      throw new ApiKeyRefusal(`There is no scope ${unknown}; the scopes are ${this.knownScopes.join(', ')}.`);
    }
    if (expiresAt && expiresAt.getTime() <= Date.now()) throw new ApiKeyRefusal('The expiry is in the past.');
  }
}
