import type { ExitCode } from '../command-error';

/** Paths that begin a sign-in, return its progress, and end the session. */
export const SIGN_IN_PATH = '/admin/device-sign-in';
export const SESSION_PATH = `${SIGN_IN_PATH}/session`;
export const END_SESSION_PATH = `${SESSION_PATH}/end`;
/** Path that commands are sent to. */
export const COMMANDS_PATH = '/admin/commands';

/** A sign-in that a server has begun at its OIDC provider (RFC 8628, 3.2). */
export interface BegunSignIn {
  /** The code with which the service asks the provider; useless without the secret of the client. */
  readonly deviceCode: string;
  readonly userCode: string;
  /** The page on which the person enters the code. */
  readonly address: string;
  /** The same page with the code filled in; null where the provider has none. */
  readonly addressWithCode: string | null;
  /** Seconds for which the code is valid. */
  readonly expiresIn: number;
  /** Seconds to wait between two polls. */
  readonly interval: number;
}

/** Progress of a sign-in. */
export type SignInProgress =
  | { readonly state: 'pending' | 'slow_down' }
  | {
      readonly state: 'signed_in';
      readonly token: string;
      /** Name of the person in the audit log. */
      readonly actor: string;
      readonly name: string;
    };

/** A question to the person, with the subject that the answer holds for. */
export interface Question {
  readonly question: string;
  readonly about: string;
}

/** The terminal of the person, with the facts that commands use. */
export interface RemoteTerminal {
  readonly isTerminal: boolean;
  readonly hasColours: boolean;
  /** Width in characters; null when it is not known. */
  readonly columns: number | null;
  readonly canAsk: boolean;
}

/** A command for a server. */
export interface RemoteCommand {
  /** Arguments without the program's own name. */
  readonly args: readonly string[];
  /** Call of the program as the person typed it; `petstore` for command lines that do not send it. */
  readonly call?: string;
  readonly terminal: RemoteTerminal;
  /** Questions that the person has answered with yes. */
  readonly confirmed: readonly Question[];
}

/**
 * One line of the response, which is JSON a line: data, a message to the person, a question in place of the work, or the end.
 * After a question the command is sent again with the answer.
 */
export type RemoteLine =
  | { readonly out: string }
  | { readonly say: string }
  | { readonly ask: Question }
  | { readonly exitCode: ExitCode };
