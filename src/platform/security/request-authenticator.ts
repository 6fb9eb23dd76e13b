import type { Request } from 'express';
import type { Principal } from './principal';

/**
 * Turns the credentials of a request into a principal. The Auth module provides it; the platform calls it before
 * anything of the request's content is looked at.
 */
export abstract class RequestAuthenticator {
  /**
   * @returns the principal, at once when it is known
   * @throws UnauthorizedError, InvalidApiKeyError, InvalidRequestError or RateLimitedError
   */
  abstract authenticate(request: Request): Principal | Promise<Principal>;
}
