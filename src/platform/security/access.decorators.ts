import { applyDecorators, type CustomDecorator, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

/** Name of the security scheme in the served document. */
export const SECURITY_SCHEME = 'apiKey';

export const PUBLIC_METADATA = 'petstore:public';
export const REQUIRED_SCOPES_METADATA = 'petstore:scopes';
export const CONSOLE_SCOPES_METADATA = 'petstore:console-scopes';

/** A scope in the form that modules use: `pets:read`, `orders:write`, `admin:keys`. */
export type Scope = `${string}:${string}`;

/** A scope of operators: `admin:orders`. */
export type AdminScope = `admin:${string}`;

/** Marks a route that needs no key. Without this or {@link RequireScopes} the application does not start. */
export function Public(): CustomDecorator {
  return SetMetadata(PUBLIC_METADATA, true);
}

/** Reserves a route for API keys that have all these scopes: for the guard, the 401 and 403 responses and the document. */
export function RequireScopes(...scopes: [Scope, ...Scope[]]): MethodDecorator & ClassDecorator {
  return applyDecorators(SetMetadata(REQUIRED_SCOPES_METADATA, scopes), ApiBearerAuth(SECURITY_SCHEME));
}

/** Opens pages of the console only to sessions that have all these scopes, besides `admin:read`. */
export function ConsoleScopes(...scopes: [AdminScope, ...AdminScope[]]): CustomDecorator {
  return SetMetadata(CONSOLE_SCOPES_METADATA, scopes);
}
