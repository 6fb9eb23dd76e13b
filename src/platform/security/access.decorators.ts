import { applyDecorators, type CustomDecorator, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

/** Name of the security scheme in the served document. */
export const SECURITY_SCHEME = 'apiKey';

export const PUBLIC_METADATA = 'petstore:public';
export const REQUIRED_SCOPES_METADATA = 'petstore:scopes';

/** A scope as modules name theirs: `pets:read`, `orders:write`, `admin:keys`. */
export type Scope = `${string}:${string}`;

/** The route needs no key. Without this or {@link RequireScopes} the application does not start. */
export function Public(): CustomDecorator {
  return SetMetadata(PUBLIC_METADATA, true);
}

/** The route is for API keys that have all these scopes: the guard, the 401 and 403 responses and the document. */
export function RequireScopes(...scopes: [Scope, ...Scope[]]): MethodDecorator & ClassDecorator {
  return applyDecorators(SetMetadata(REQUIRED_SCOPES_METADATA, scopes), ApiBearerAuth(SECURITY_SCHEME));
}
