import type { ExitCode } from '../command-error';

/** Where a sign-in begins, where the command line learns what became of it, and where it ends the session. */
export const SIGN_IN_PATH = '/admin/device-sign-in';
export const SESSION_PATH = `${SIGN_IN_PATH}/session`;
export const END_SESSION_PATH = `${SESSION_PATH}/end`;
/** Where commands are sent to. */
export const COMMANDS_PATH = '/admin/commands';

/** A sign-in that a server has begun at its OIDC provider (RFC 8628, 3.2). */
export interface BegunSignIn {
  readonly deviceCode: string;
  readonly userCode: string;
  /** The page on which the person enters the code. */
  readonly address: string;
  /** The same page with the code filled in; null where the provider has none. */
  readonly addressWithCode: string | null;
  /** How long the code is good for, in seconds. */
  readonly expiresIn: number;
  /** How long to wait from one question to the next, in seconds. */
  readonly interval: number;
}

/** What has become of a sign-in. */
export type SignInProgress =
  | { readonly state: 'pending' | 'slow_down' }
  | {
      readonly state: 'signed_in';
      readonly token: string;
      /** As the audit log names the person. */
      readonly actor: string;
      readonly name: string;
    };

/** A question to the person, and what the answer holds for besides. */
export interface Question {
  readonly question: string;
  readonly about: string;
}

/** The terminal of the person, as far as a command wants to know of it. */
export interface RemoteTerminal {
  readonly isTerminal: boolean;
  readonly hasColours: boolean;
  /** How wide it is, in characters; null when it is not known. */
  readonly columns: number | null;
  readonly canAsk: boolean;
}

/** A command for a server. */
export interface RemoteCommand {
  /** Without the program's own name. */
  readonly args: readonly string[];
  /** Call of the program as the person typed it; `petstore` for command lines that do not send it. */
  readonly call?: string;
  readonly terminal: RemoteTerminal;
  /** What the person has said yes to. */
  readonly confirmed: readonly Question[];
}

/**
 * One line of the response, which is JSON a line: data, what is said to the person, a question in place of the work, or the end. After a
 * question the command is sent again with the answer.
 */
export type RemoteLine =
  | { readonly out: string }
  | { readonly say: string }
  | { readonly ask: Question }
  | { readonly exitCode: ExitCode };
