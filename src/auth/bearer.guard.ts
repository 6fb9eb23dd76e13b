import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { InvalidRequestError, RateLimitedError } from '../platform/errors/http-errors';
import { keepConnection } from '../platform/http/connections/open-connections';
import { Exchange, exchangeOf } from '../platform/http/exchange/exchange';
import { unsentResponse } from '../platform/http/exchange/unsent-response';
import type { Operation } from '../platform/http/operations/operation';
import { isRepeated } from '../platform/http/request/repeated-field';
import { RateLimits } from '../platform/rate-limit/rate-limits';
import { RefusedKeys } from '../platform/rate-limit/refused-keys';
import { PUBLIC_METADATA, REQUIRED_SCOPES_METADATA } from '../platform/security/access.decorators';
import { clientAddress } from '../platform/security/client-address';
import { Networks } from '../platform/security/networks';
import { covers, type OwnLimits, type Principal } from '../platform/security/principal';
import { Metrics } from '../platform/telemetry/metrics';
import { RequestAuthenticator } from '../platform/security/request-authenticator';
import {
  AddressNotAllowedError,
  InvalidApiKeyError,
  insufficientScope,
  UnauthorizedError,
} from '../platform/security/security-errors';
import { outlivesRequest, requestOf } from '../platform/tracing/request-of';
import { hashToken, isWellFormedToken, looksLikeToken } from '../platform/security/api-key-token';
import type { ApiKey } from './api-key.entity';
import { ApiKeysRepository } from './api-keys.repository';
import { type CachedKey, KeyCache, type Known, type KeyRefusal } from './key-cache';
import { KeyUsage } from './usage/key-usage';
import { statusOf } from './view-key';

/** `Bearer`, one or more spaces, the token; the scheme in any letter case (RFC 9110, section 11.4; RFC 6750). */
const BEARER = /^bearer +(.+)$/i;

/** Authenticates bearer API keys. No handler of an operation that is not public runs without one. */
@Injectable()
export class BearerGuard extends RequestAuthenticator implements CanActivate {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly cache: KeyCache,
    private readonly usage: KeyUsage,
    private readonly refusedKeys: RefusedKeys,
    private readonly metrics: Metrics,
    private readonly limits: RateLimits,
    private readonly reflector: Reflector,
  ) {
    super();
  }

  authenticate(request: Request): Principal | Promise<Principal> {
    const token = this.bearerToken(request);
    if (!looksLikeToken(token)) return this.refuse(request, 'malformed');
    const tokenHash = hashToken(token);
    const known = this.cache.get(tokenHash);
    // A typo or a scan is refused without a query. A cached token is well-formed, so most requests are spared the checksum.
    if (known === undefined && !isWellFormedToken(token)) return this.refuse(request, 'malformed');
    this.metrics.cacheLookups.add(known === undefined ? 'keysMiss' : 'keysHit');
    if (known === undefined) return this.lookUp(tokenHash, request);
    return isValid(known) ? this.accept(known, request) : this.refuse(request, refusalOf(known));
  }

  countUse(keyId: string, operationId: string): void {
    this.usage.count(keyId, operationId);
  }

  /**
   * The global guard. The lifecycle has called {@link authenticate} before it read the body; a request that reaches a handler
   * another way is refused.
   */
  canActivate(context: ExecutionContext): true | Promise<true> {
    if (context.getType() !== 'http') return this.judgeMessage(context);
    const { exchange } = context.switchToHttp().getRequest<Request>();
    const { operation, principal } = exchange;
    // An operation's own guards and interceptors report themselves (see `own-phases.ts`).
    exchange.timeline?.enter('handler');
    if (operation?.isPublic) return true;
    if (!operation || !principal) throw new UnauthorizedError();
    return assertCovered(principal, operation);
  }

  /** Judges the caller of a message or a query anew: a connection may outlive its key. */
  private async judgeMessage(context: ExecutionContext): Promise<true> {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<true | undefined>(PUBLIC_METADATA, targets)) return true;
    const scopes = this.reflector.getAllAndOverride<string[] | undefined>(REQUIRED_SCOPES_METADATA, targets);
    const request = requestOf(context);
    if (!scopes || !request) throw new UnauthorizedError();
    request.exchange = exchangeOf(request) ?? new Exchange('public', request, unsentResponse(request));
    const principal = await this.authenticate(request);
    if (this.limits.isOn || principal.limits) await this.limits.count(undefined, principal);
    request.exchange.principal = principal;
    if (outlivesRequest(context)) keepConnection(request.socket);
    return assertCovered(principal, { scopes });
  }

  private async lookUp(tokenHash: string, request: Request): Promise<Principal> {
    const pending = this.cache.pending(tokenHash);
    if (pending) {
      const known = await pending.catch(unlessLimited);
      // The look-up was refused for the address of the other request.
      if (known === undefined) return this.lookUp(tokenHash, request);
      return isValid(known) ? this.accept(known, request) : this.refuse(request, refusalOf(known));
    }
    const known = await this.cache.lookUp(tokenHash, (remember) =>
      this.validate(tokenHash, request, remember),
    );
    if (isValid(known)) return this.accept(known, request);
    this.metrics.keyVerifications.add(refusalOf(known));
    throw new InvalidApiKeyError();
  }

  /** Asks the database. A key that is not valid has been counted when this returns. */
  private async validate(
    tokenHash: string,
    request: Request,
    remember: (known: Known) => void,
  ): Promise<Known> {
    const wasAccepted = this.cache.wasAccepted(tokenHash);
    if (!wasAccepted) await this.refusedKeys.count(request);
    let known: Known | undefined;
    try {
      known = await this.find(tokenHash);
      remember(known);
    } finally {
      if (!wasAccepted && (known === undefined || isValid(known))) this.refusedKeys.giveBack(request);
    }
    if (wasAccepted && !isValid(known)) await this.refusedKeys.count(request);
    return known;
  }

  private async find(tokenHash: string): Promise<Known> {
    const key = await this.keys.findByHash(tokenHash);
    if (!key) return 'unknown';
    // An expired key is remembered like a valid one: its end is checked at each request.
    const status = statusOf(key, new Date());
    if (status === 'revoked' || status === 'disabled') return status;
    return {
      principal: {
        keyId: key.id,
        lineageId: key.lineageId,
        owner: key.owner ?? undefined,
        scopes: new Set(key.scopes),
        limits: ownLimits(key),
      },
      expiresAt: key.expiresAt?.getTime() ?? Infinity,
      networks: key.networks ? new Networks(key.networks) : undefined,
    };
  }

  private accept({ principal, networks }: CachedKey, request: Request): Principal | Promise<never> {
    if (networks && !networks.includes(clientAddress(request))) return this.refuseAddress(principal, request);
    this.metrics.keyVerifications.add('accepted');
    this.usage.noteUse(principal.keyId, Date.now());
    return principal;
  }

  /**
   * Refuses a key that is used from elsewhere, before it counts toward its own limits: a thief must not use them up. It counts
   * as a key that is not valid, and the log names the key.
   *
   * @throws AddressNotAllowedError, or RateLimitedError after too many
   */
  private async refuseAddress(principal: Principal, request: Request): Promise<never> {
    request.exchange.principal = principal;
    this.metrics.keyVerifications.add('address_not_allowed');
    await this.refusedKeys.count(request);
    throw new AddressNotAllowedError();
  }

  /** Counts a key that is not valid. @throws InvalidApiKeyError, or RateLimitedError after too many */
  private refuse(request: Request, reason: KeyRefusal | 'malformed' | 'expired'): Promise<never> {
    this.metrics.keyVerifications.add(reason);
    const counted = this.refusedKeys.count(request);
    if (!counted) throw new InvalidApiKeyError();
    return counted.then(() => {
      throw new InvalidApiKeyError();
    });
  }

  private bearerToken(request: IncomingMessage): string {
    const { authorization } = request.headers;
    if (authorization !== undefined && isRepeated(request, 'authorization')) {
      this.metrics.keyVerifications.add('malformed');
      throw new InvalidRequestError();
    }
    const token = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
    if (token === undefined) {
      this.metrics.keyVerifications.add('missing');
      throw new UnauthorizedError();
    }
    return token;
  }
}

function assertCovered(principal: Principal, { scopes }: Pick<Operation, 'scopes'>): true {
  if (!covers(principal, scopes)) throw insufficientScope(scopes);
  return true;
}

function unlessLimited(error: unknown): undefined {
  if (!(error instanceof RateLimitedError)) throw error;
}

function ownLimits({ limitPerMinute, quotaPerMonth }: ApiKey): OwnLimits | undefined {
  if (limitPerMinute === null && quotaPerMonth === null) return undefined;
  return { perMinute: limitPerMinute ?? undefined, perMonth: quotaPerMonth ?? undefined };
}

function isValid(known: Known): known is CachedKey {
  return typeof known !== 'string' && known.expiresAt > Date.now();
}

/** The reason why a key is not valid. */
function refusalOf(known: Known): KeyRefusal | 'expired' {
  return typeof known === 'string' ? known : 'expired';
}
