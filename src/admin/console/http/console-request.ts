import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { parseCookie } from 'cookie';
import type { Request } from 'express';
import type { ReadForm } from './read-form';
import type { AdminSession } from '../sessions/admin-session.entity';
import type { OpenSession, Operator } from '../sessions/sessions.service';
import { readTheme, type Theme, THEME_COOKIE } from './theme';
import { readTimeZone, TIME_ZONE_COOKIE } from './time-zone';

declare global {
  namespace Express {
    interface Request {
      /** The console's view of the request; set by its guard. */
      consoleRequest?: ConsoleRequest;
    }
  }
}

/** Query parameter with which a list polls for news, and its value when the page is reloaded without JavaScript. */
export const LIVE = 'live';
export const RELOADED = 'reloaded';

/** One request of a browser to the console. */
export class ConsoleRequest {
  /** The path asked for, `/admin/keys`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The fields of the form that was sent, in order; empty without a form. */
  form = new URLSearchParams();
  /** The file that was chosen in the form. */
  upload: ReadForm['upload'];
  /** Fields typed into the form of the page before a sign-in, for the page to show again. */
  storedForm: URLSearchParams | undefined;
  /** True if the page itself requests, to show news. Nobody need be there. */
  readonly isBackground: boolean;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** The theme of the pages. */
  readonly theme: Theme;
  /** The time zone that pages show times in: a name of the IANA database. */
  readonly timeZone: string;
  private open: (OpenSession & { readonly csrf: string }) | undefined;

  /** @param readOnly the sentence that the service is read-only; undefined while it takes changes */
  constructor(
    request: Request,
    readonly readOnly?: string,
  ) {
    const { pathname, searchParams } = new URL(request.originalUrl, 'http://console');
    this.path = pathname;
    this.query = searchParams;
    this.isBackground = request.get('x-background') !== undefined || searchParams.get(LIVE) === RELOADED;
    this.cookies = parseCookie(request.headers.cookie ?? '');
    this.theme = readTheme(this.cookies[THEME_COOKIE]);
    this.timeZone = readTimeZone(this.cookies[TIME_ZONE_COOKIE]);
  }

  /** Makes this the request of an operator who is signed in. */
  enter(open: OpenSession, csrf: string): void {
    this.open = { ...open, csrf };
  }

  get isSignedIn(): boolean {
    return this.open !== undefined;
  }

  /** The operator who is signed in. @throws Error on pages that need no sign-in */
  get operator(): Operator {
    return this.signedIn.operator;
  }

  get session(): AdminSession {
    return this.signedIn.session;
  }

  /** The token that the forms of the page carry; empty if nobody is signed in. */
  get csrf(): string {
    return this.open?.csrf ?? '';
  }

  /** True if the operator has a scope. Pages hide whatever needs a scope that is missing. */
  can(scope: string): boolean {
    return this.open?.operator.scopes.has(scope) ?? false;
  }

  /** True if the operator has a scope and the service takes changes. Pages hide whatever would begin one that is refused. */
  mayChange(scope: string): boolean {
    return this.readOnly === undefined && this.can(scope);
  }

  /** The path with its query. */
  get address(): string {
    return this.query.size > 0 ? `${this.path}?${this.query.toString()}` : this.path;
  }

  /** The address of the same page with some parameters of the query set, or removed if their value is undefined or empty. */
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
