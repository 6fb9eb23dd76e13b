import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { release, type } from 'node:os';
import { packageVersion } from '../../config/package-version';
import { AppError, defineError } from '../../errors/app-error';
import { CommandError } from '../command-error';
import {
  type BegunSignIn,
  COMMANDS_PATH,
  END_SESSION_PATH,
  type RemoteCommand,
  type RemoteLine,
  SESSION_PATH,
  SIGN_IN_PATH,
  type SignInProgress,
} from './protocol';

/** The server does not respond, or cannot at the moment. */
const ServerAwayError = defineError({
  code: 'server_away',
  status: 503,
  message: 'The server does not respond.',
  isForOperators: true,
});

/** The server has refused a request; the exit code follows from its status. */
class ServerRefusal extends AppError {
  readonly headers = {};

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** A server as the command line calls it, named by the web origin of its console. */
export class RemoteServer {
  constructor(readonly origin: string) {}

  /**
   * Begins a sign-in.
   *
   * @throws AppError as the server refuses it, or ServerAwayError; the other methods throw the same
   */
  async beginSignIn(): Promise<BegunSignIn> {
    return (await (await this.send(SIGN_IN_PATH, { body: {} })).json()) as BegunSignIn;
  }

  async continueSignIn(deviceCode: string): Promise<SignInProgress> {
    return (await (await this.send(SESSION_PATH, { body: { deviceCode } })).json()) as SignInProgress;
  }

  /** Ends a session, unless it has ended by itself. */
  async signOut(token: string): Promise<void> {
    try {
      await this.send(END_SESSION_PATH, { token });
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 401) throw error;
    }
  }

  /**
   * Runs a command on the server.
   *
   * @param token of a session, or an API key for a command that reads
   * @returns its output line by line; the exit code is the last line
   */
  async *run(token: string, command: RemoteCommand, signal?: AbortSignal): AsyncGenerator<RemoteLine> {
    const { body } = await this.send(COMMANDS_PATH, { token, body: command, signal });
    if (!body) throw this.incomplete();
    let isWhole = false;
    try {
      // The stream has the type of browsers, which Node's own types do not accept.
      const input = Readable.fromWeb(body as ReadableStream<Uint8Array>);
      for await (const text of createInterface({ input, crlfDelay: Infinity })) {
        const line = JSON.parse(text) as RemoteLine;
        isWhole = 'exitCode' in line;
        yield line;
      }
    } catch (cause) {
      throw this.incomplete(cause);
    }
    if (!isWhole) throw this.incomplete();
  }

  private async send(
    path: string,
    { token, body, signal }: { token?: string; body?: object; signal?: AbortSignal | undefined },
  ): Promise<Response> {
    const response = await this.fetch(path, {
      method: 'POST',
      headers: {
        Accept: 'application/json',
        'User-Agent': `petstore/${packageVersion()} (${type()} ${release()})`,
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      // The address that a redirect leads to must not get the token.
      redirect: 'error',
      ...(signal && { signal }),
    });
    if (response.ok) return response;
    throw await this.refusal(response);
  }

  private async fetch(path: string, options: RequestInit): Promise<Response> {
    try {
      return await fetch(this.origin + path, options);
    } catch (error) {
      const { cause, message } = error as Error;
      const reason = Error.isError(cause) ? cause.message || cause.name : message;
      throw new ServerAwayError(`${this.origin} does not respond: ${reason}.`);
    }
  }

  private async refusal(response: Response): Promise<AppError> {
    const { status } = response;
    if (status === 429) {
      const seconds = response.headers.get('retry-after') ?? '60';
      return new ServerAwayError(`There have been too many requests: try again in ${seconds} seconds.`);
    }
    const { code, message } = ((await response.json().catch(() => null)) ?? {}) as Record<string, unknown>;
    if (typeof code === 'string' && typeof message === 'string') {
      return new ServerRefusal(status, code, message);
    }
    return new CommandError(
      `${this.origin} responded with ${status}: it is not the console of a petstore service, or its version does not accept commands.`,
    );
  }

  private incomplete(cause?: unknown): AppError {
    return new CommandError({
      message: `The response of ${this.origin} broke off: check there whether the command was carried out.`,
      cause,
    });
  }
}
