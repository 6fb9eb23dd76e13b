import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { InvalidRequestError } from '../platform/errors/http-errors';
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
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly cache: KeyCache,
    private readonly usage: KeyUsage,
  ) {
    super();
  }

  authenticate(request: IncomingMessage): Principal | Promise<Principal> {
    const token = bearerToken(request);
    // A typo or a scan is refused without a query.
    if (!isWellFormedToken(token)) throw new InvalidApiKeyError();
    const tokenHash = hashToken(token);
    const known = this.cache.get(tokenHash);
    return known === undefined ? this.lookUp(tokenHash) : this.accept(known);
  }

  /** The last door: the request path has authenticated already; whatever came another way is refused here. */
  canActivate(context: ExecutionContext): boolean {
    const { operation, principal } = context.switchToHttp().getRequest<Request>();
    if (operation?.isPublic) return true;
    if (!operation || !principal) throw new UnauthorizedError();
    if (!covers(principal, operation.scopes)) throw insufficientScope(operation.scopes);
    return true;
  }

  private async lookUp(tokenHash: string): Promise<Principal> {
    const key = await this.keys.findByHash(tokenHash);
    if (!key || key.revokedAt) {
      this.cache.refuse(tokenHash);
      throw new InvalidApiKeyError();
    }
    const known = {
      principal: { keyId: key.id, lineageId: key.lineageId, scopes: new Set(key.scopes) },
      expiresAt: key.expiresAt?.getTime() ?? Infinity,
    };
    this.cache.accept(tokenHash, known);
    return this.accept(known);
  }

  private accept(known: CachedKey | null): Principal {
    const now = new Date();
    if (!known || known.expiresAt <= now.getTime()) throw new InvalidApiKeyError();
    this.usage.noteUse(known.principal.keyId, now);
    return known.principal;
  }
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
