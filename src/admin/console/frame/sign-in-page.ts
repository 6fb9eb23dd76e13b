import type { Request } from 'express';
import { keepsCookies } from '../http/console-cookie';
import { NotSignedInError } from '../console.errors';
import { type ConsolePage, page } from '../../../platform/features/console-page';
import { readReturnPath } from '../http/return-path';
import type { SignInWays } from '../sessions/sessions.service';

/** Values that are carried over a sign-in, and texts of its page. */
export interface SignInOptions {
  readonly ways: SignInWays;
  /** The page to show after the sign-in. */
  readonly wanted: string | null;
  /** Fields typed into the form of that page, to be shown there again. */
  readonly fields?: string | undefined;
  /** A notice above the form. */
  readonly hint?: string;
  /** The reason why the last key was refused. */
  readonly fault?: string;
  /** The reason why the last sign-in by OIDC was refused. */
  readonly providerFault?: string;
}

/** Creates the sign-in page. */
export function signInPage(request: Request, { wanted, ...options }: SignInOptions): ConsolePage {
  const data = { ...options, wanted: readReturnPath(wanted), keepsSession: keepsCookies(request) };
  const isRefused = options.fault !== undefined || options.providerFault !== undefined;
  return page('/sign-in/sign-in', { title: 'Sign in', status: isRefused ? 401 : 200, data });
}

/** Reports a form without a session. The sign-in page is shown in place of an error, and carries the fields of the form. */
export class SignInForForm extends NotSignedInError {
  constructor(readonly signIn: ConsolePage) {
    super('You are no longer signed in, so nothing was changed.');
  }
}
