import type { Request } from 'express';
import { NotSignedInError } from '../console.errors';
import { type Page, page } from '../page';
import { readReturnPath } from '../return-path';
import { keepsSession } from './session-cookie';

/** What is carried over a sign-in. */
export interface SignInOptions {
  /** The page that is wanted then. */
  readonly wanted: string | null;
  /** What was typed into the form of that page, to be shown there again. */
  readonly fields?: string | undefined;
  /** What is to be known before. */
  readonly hint?: string;
  /** Why the last attempt was refused. */
  readonly fault?: string;
}

/** The page to sign in on. */
export function signInPage(request: Request, { wanted, fields, hint, fault }: SignInOptions): Page {
  const data = { wanted: readReturnPath(wanted), fields, hint, fault, keepsSession: keepsSession(request) };
  return page('/sessions/sign-in', { title: 'Sign in', status: fault ? 401 : 200, data });
}

/** A form came without a session. The sign-in is shown in place of an error, with what was typed. */
export class SignInForForm extends NotSignedInError {
  constructor(readonly signIn: Page) {
    super('You are not signed in any more, so nothing was changed.');
  }
}
