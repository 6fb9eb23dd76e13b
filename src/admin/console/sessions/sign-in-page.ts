import type { Request } from 'express';
import { keepsCookies } from '../console-cookie';
import { NotSignedInError } from '../console.errors';
import { type Page, page } from '../page';
import { readReturnPath } from '../return-path';

/** How people may sign in. */
export interface SignInWays {
  /** The OIDC provider, by its name, and the web origin at which a sign-in with it begins. */
  readonly provider: { readonly name: string; readonly origin: string } | undefined;
  readonly allowsKeys: boolean;
}

/** What is carried over a sign-in. */
export interface SignInOptions {
  readonly ways: SignInWays;
  /** The page that is wanted then. */
  readonly wanted: string | null;
  /** What was typed into the form of that page, to be shown there again. */
  readonly fields?: string | undefined;
  /** What is to be known before. */
  readonly hint?: string;
  /** Why the last key was refused. */
  readonly fault?: string;
  /** Why the last sign-in by OIDC was refused. */
  readonly providerFault?: string;
}

/** The page to sign in on. */
export function signInPage(request: Request, { wanted, ...options }: SignInOptions): Page {
  const data = { ...options, wanted: readReturnPath(wanted), keepsSession: keepsCookies(request) };
  const isRefused = options.fault !== undefined || options.providerFault !== undefined;
  return page('/sessions/sign-in', { title: 'Sign in', status: isRefused ? 401 : 200, data });
}

/** A form came without a session. The sign-in is shown in place of an error, with what was typed. */
export class SignInForForm extends NotSignedInError {
  constructor(readonly signIn: Page) {
    super('You are not signed in any more, so nothing was changed.');
  }
}
