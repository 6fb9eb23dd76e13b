import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { parseCookie } from 'cookie';
import type { Request } from 'express';
import type { Upload } from './read-form';
import type { AdminSession } from './sessions/admin-session.entity';
import type { OpenSession, Operator } from './sessions/sessions.service';
import { readTheme, type Theme, THEME_COOKIE } from './theme/theme';
import { readTimeZone, TIME_ZONE_COOKIE } from './time-zone/time-zone';

declare global {
  namespace Express {
    interface Request {
      /** What the console knows of the request; set by its guard. */
      consoleRequest?: ConsoleRequest;
    }
  }
}

/** The parameter by which a list shows what is new by itself; its value where the page is loaded again without JavaScript. */
export const LIVE = 'live';
export const RELOADED = 'reloaded';

/** One request of a browser to the console. */
export class ConsoleRequest {
  /** The path asked for, `/admin/keys`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The fields of the form that was sent, in order; empty when none was. */
  form = new URLSearchParams();
  /** The file that was chosen in it. */
  upload: Upload | undefined;
  /** What was typed into the form of the page before a sign-in, for the page to show it again. */
  storedForm: URLSearchParams | undefined;
  /** Whether the page requests by itself, to show what is new. No person need be there. */
  readonly isBackground: boolean;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** How the pages are to look. */
  readonly theme: Theme;
  /** The zone that the pages show times in: a name of the IANA database. */
  readonly timeZone: string;
  private open: (OpenSession & { readonly csrf: string }) | undefined;

  constructor(request: Request) {
    const { pathname, searchParams } = new URL(request.originalUrl, 'http://console');
    this.path = pathname;
    this.query = searchParams;
    this.isBackground = request.get('x-background') !== undefined || searchParams.get(LIVE) === RELOADED;
    this.cookies = parseCookie(request.headers.cookie ?? '');
    this.theme = readTheme(this.cookies[THEME_COOKIE]);
    this.timeZone = readTimeZone(this.cookies[TIME_ZONE_COOKIE]);
  }

  /** From now on the request is one of an operator who is signed in. */
  enter(open: OpenSession, csrf: string): void {
    this.open = { ...open, csrf };
  }

  get isSignedIn(): boolean {
    return this.open !== undefined;
  }

  /** Who is signed in. @throws Error on pages that need no sign-in */
  get operator(): Operator {
    return this.signedIn.operator;
  }

  get session(): AdminSession {
    return this.signedIn.session;
  }

  /** The token its forms carry; empty when the person is not signed in. */
  get csrf(): string {
    return this.open?.csrf ?? '';
  }

  /** Whether who is signed in has a scope: without it, what needs it is not shown. */
  can(scope: string): boolean {
    return this.open?.operator.scopes.has(scope) ?? false;
  }

  /** The path with its query. */
  get address(): string {
    return this.query.size > 0 ? `${this.path}?${this.query.toString()}` : this.path;
  }

  /** The same page with some parameters of the query set, or taken away where the value is undefined. */
  addressWith(changes: Readonly<Record<string, string | undefined>>): string {
    const query = new URLSearchParams(this.query);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined || value === '') query.delete(name);
      else query.set(name, value);
    }
    return query.size > 0 ? `${this.path}?${query.toString()}` : this.path;
  }

  private get signedIn(): OpenSession {
    if (!this.open) throw new Error('A page that needs no sign-in has no session.');
    return this.open;
  }
}

/** Gives a handler of the console the {@link ConsoleRequest}. */
export const CurrentRequest = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Request>().consoleRequest,
);
