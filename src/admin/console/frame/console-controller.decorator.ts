import {
  applyDecorators,
  Controller,
  type CustomDecorator,
  SetMetadata,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { OnManagementPort } from '../../../platform/http/management/on-management-port.decorator';
import { Public, type Scope } from '../../../platform/security/access.decorators';
import { ConsoleGuard, OPEN_METADATA, SCOPES_METADATA } from './console.guard';
import { ConsoleInterceptor } from './console.interceptor';

/**
 * Marks a controller of the console: its routes are below `/admin` on the management port, for browsers whose session has
 * `admin:read` and the scopes of {@link ConsoleScopes}. Handlers return a `page(...)` or `seeOther(...)`.
 *
 * @param path below `/admin`; empty for `/admin` itself
 */
export function ConsoleController(path = ''): ClassDecorator {
  return applyDecorators(
    Controller(path === '' ? 'admin' : `admin/${path}`),
    OnManagementPort(),
    // Browsers send a cookie and no bearer token: the console's own guard decides.
    Public(),
    UseGuards(ConsoleGuard),
    UseInterceptors(ConsoleInterceptor),
  );
}

/** Opens the routes only to sessions that have all these scopes, besides `admin:read`. */
export function ConsoleScopes(...scopes: [Scope, ...Scope[]]): CustomDecorator {
  return SetMetadata(SCOPES_METADATA, scopes);
}

/** Makes the route public: it needs no session. */
export function ConsolePublic(): CustomDecorator {
  return SetMetadata(OPEN_METADATA, true);
}
