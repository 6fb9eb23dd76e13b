import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { InvalidRequestError } from '../platform/errors/http-errors';
import { RefusedKeys } from '../platform/rate-limit/refused-keys';
import { covers, type Principal } from '../platform/security/principal';
import { RequestAuthenticator } from '../platform/security/request-authenticator';
import {
  InvalidApiKeyError,
  insufficientScope,
  UnauthorizedError,
} from '../platform/security/security-errors';
import { hashToken, isWellFormedToken } from '../platform/security/api-key-token';
import { ApiKeysRepository } from './api-keys.repository';
import { type CachedKey, KeyCache } from './key-cache';
import { KeyUsage } from './key-usage';

/** `Bearer`, one or more spaces, the token; the scheme in any letter case (RFC 9110, section 11.4; RFC 6750). */
const BEARER = /^bearer +(.+)$/i;

/** Bearer API keys: who a request comes from, and that no handler runs without it. */
@Injectable()
export class BearerGuard extends RequestAuthenticator implements CanActivate {
  /** Those under way by the hash of their token: requests with one key that arrive together ask once. */
  private readonly lookUps = new Map<string, Promise<CachedKey | null>>();

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly cache: KeyCache,
    private readonly usage: KeyUsage,
    private readonly refusedKeys: RefusedKeys,
  ) {
    super();
  }

  authenticate(request: Request): Principal | Promise<Principal> {
    const token = bearerToken(request);
    // A typo or a scan is refused without a query.
    if (!isWellFormedToken(token)) return this.refuse(request);
    const tokenHash = hashToken(token);
    const known = this.cache.get(tokenHash);
    if (known === undefined) return this.lookUp(tokenHash, request);
    return known && isCurrent(known) ? this.accept(known) : this.refuse(request);
  }

  /** The last door: the request path has authenticated already; whatever came another way is refused here. */
  canActivate(context: ExecutionContext): boolean {
    const { operation, principal } = context.switchToHttp().getRequest<Request>();
    if (operation?.isPublic) return true;
    if (!operation || !principal) throw new UnauthorizedError();
    if (!covers(principal, operation.scopes)) throw insufficientScope(operation.scopes);
    return true;
  }

  private async lookUp(tokenHash: string, request: Request): Promise<Principal> {
    const running = this.lookUps.get(tokenHash);
    if (running) {
      const known = await running;
      return known ? this.accept(known) : this.refuse(request);
    }
    const lookUp = this.judge(tokenHash, request).finally(() => this.lookUps.delete(tokenHash));
    this.lookUps.set(tokenHash, lookUp);
    const known = await lookUp;
    if (!known) throw new InvalidApiKeyError();
    return this.accept(known);
  }

  /** Asks the database. @returns null for a key that is not valid, which has been counted */
  private async judge(tokenHash: string, request: Request): Promise<CachedKey | null> {
    if (this.cache.wasAccepted(tokenHash)) {
      const known = await this.find(tokenHash);
      if (!known) await this.refusedKeys.count(request);
      return known;
    }
    await this.refusedKeys.count(request);
    let known: CachedKey | null | undefined;
    try {
      known = await this.find(tokenHash);
    } finally {
      if (known !== null) this.refusedKeys.giveBack(request);
    }
    return known;
  }

  private async find(tokenHash: string): Promise<CachedKey | null> {
    const key = await this.keys.findByHash(tokenHash);
    if (!key || key.revokedAt) {
      this.cache.refuse(tokenHash);
      return null;
    }
    const known = {
      principal: { keyId: key.id, lineageId: key.lineageId, scopes: new Set(key.scopes) },
      expiresAt: key.expiresAt?.getTime() ?? Infinity,
    };
    this.cache.accept(tokenHash, known);
    return isCurrent(known) ? known : null;
  }

  private accept({ principal }: CachedKey): Principal {
    this.usage.noteUse(principal.keyId, new Date());
    return principal;
  }

  /** Counts a key that is not valid. @throws InvalidApiKeyError, or RateLimitedError after too many */
  private refuse(request: Request): Promise<never> {
    const counted = this.refusedKeys.count(request);
    if (!counted) throw new InvalidApiKeyError();
    return counted.then(() => {
      throw new InvalidApiKeyError();
    });
  }
}

function isCurrent({ expiresAt }: CachedKey): boolean {
  return expiresAt > Date.now();
}

function bearerToken(request: IncomingMessage): string {
  const { authorization } = request.headers;
  if (authorization === undefined) throw new UnauthorizedError();
  if (isRepeated(request)) throw new InvalidRequestError();
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw new UnauthorizedError();
  return token;
}

/** Node keeps the first of two Authorization headers and drops the other silently. */
function isRepeated({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 13 && name.toLowerCase() === 'authorization') count++;
  }
  return count > 1;
}
