import type { Request } from 'express';
import type { Principal } from './principal';

/**
 * Turns the credentials of a request into a principal. The Auth module provides it; the platform calls it before it reads
 * anything of the request's content.
 */
export abstract class RequestAuthenticator {
  /**
   * @returns the principal, at once if it is known
   * @throws UnauthorizedError, InvalidApiKeyError, InvalidRequestError or RateLimitedError
   */
  abstract authenticate(request: Request): Principal | Promise<Principal>;

  /** Counts the use of an operation by a key. Never waits and never throws: it runs in the lifecycle of a request. */
  abstract countUse(keyId: string, operationId: string): void;
}
