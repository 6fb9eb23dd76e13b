import type { IncomingMessage } from 'node:http';
import type { Principal } from './principal';

/**
 * Turns the credentials of a request into a principal. The Auth module provides it; the platform calls it before
 * anything of the request's content is looked at.
 */
export abstract class RequestAuthenticator {
  /**
   * @returns the principal, at once when it is known
   * @throws UnauthorizedError, InvalidApiKeyError or InvalidRequestError
   */
  abstract authenticate(request: IncomingMessage): Principal | Promise<Principal>;
}
