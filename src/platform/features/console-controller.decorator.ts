import {
  applyDecorators,
  Controller,
  type CustomDecorator,
  SetMetadata,
  type Type,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { OnManagementPort } from '../http/management/on-management-port.decorator';
import { Public } from '../security/access.decorators';
import type { AdminIcon } from './admin-records';
import { ConsoleDoorGuard, ConsoleDoorInterceptor } from './console-door';

/** Line of the navigation that leads to a page. */
export interface ConsoleEntry {
  readonly title: string;
  /** A box unless set. */
  readonly icon?: AdminIcon;
}

/** A page of the console, as its controller declares it. */
export interface DeclaredPage {
  /** `/admin/orders/dispatch` */
  readonly path: string;
  readonly entry: ConsoleEntry | undefined;
}

const PAGE_METADATA = 'petstore:console-page';

/** Metadata key under which {@link ConsolePublic} stores its value. */
export const CONSOLE_PUBLIC_METADATA = 'petstore:console-open';

/**
 * Marks a controller of the console: its routes are below `/admin` on the management port, for browsers whose session has
 * `admin:read` and the scopes of `@ConsoleScopes()`. Handlers return a `page(...)` or `seeOther(...)`.
 *
 * @param path below `/admin`, such as `orders/dispatch`
 * @param entry its line in the navigation; a page that others lead to has none
 */
export function ConsoleController(path = '', entry?: ConsoleEntry): ClassDecorator {
  const ownPath = path === '' ? 'admin' : `admin/${path}`;
  return applyDecorators(
    Controller(ownPath),
    OnManagementPort(),
    // Browsers send a cookie and no bearer token: the guard of the console decides.
    Public(),
    UseGuards(ConsoleDoorGuard),
    UseInterceptors(ConsoleDoorInterceptor),
    SetMetadata(PAGE_METADATA, { path: `/${ownPath}`, entry } satisfies DeclaredPage),
  );
}

/** Makes the route public: it needs no session. */
export function ConsolePublic(): CustomDecorator {
  return SetMetadata(CONSOLE_PUBLIC_METADATA, true);
}

/** Returns the page that a controller declares; undefined for a controller of something else. */
export function consolePageOf(controller: Type): DeclaredPage | undefined {
  return Reflect.getMetadata(PAGE_METADATA, controller) as DeclaredPage | undefined;
}
