import type { Socket } from 'node:net';
import { Client, type ClientBase, type ClientConfig } from 'pg';

/** Time for which a connection may be silent beyond the limit of a statement, in milliseconds. */
const SILENCE_GRACE_MS = 1_000;

/** Reports a connection on which the server has not even said that a statement takes too long. */
class SilentServerError extends Error {
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('The PostgreSQL server does not respond on an open connection.');
  }
}

/** SQLSTATE of a write to a read-only server. */
const READ_ONLY = '25006';

/** Reports a server with old data that takes no writes, where the primary was asked for. */
class StandbyError extends Error {
  readonly code = READ_ONLY;

  constructor() {
    super('the server is a standby');
  }
}

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** node-postgres' connection, which ends when its server does not answer or takes no writes, and never ends the process. */
export class PostgresClient extends Client {
  private readonly longestSilenceMs: number;
  /** True if the server says that it is a standby; PostgreSQL 14 and newer say so unasked. */
  private isStandby = false;

  /** @param config its `statement_timeout` is the server's own limit, which a server that hangs does not keep */
  constructor(config: ClientConfig) {
    super(config);
    // The pool removes its listener before the next user of the connection adds one. An error in between would have no
    // listener and end the process. It comes when the server ends the connection with the same bytes as the last statement.
    this.on('error', () => undefined);
    this.longestSilenceMs = Number(config.statement_timeout) + SILENCE_GRACE_MS;
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (parameterName === 'in_hot_standby') this.isStandby = parameterValue === 'on';
    });
    this.once('connect', () => {
      // A server that refuses writes is the primary no more, or was told to refuse them in this session.
      this.connection.on('errorMessage', ({ code }: { code?: string }) => {
        if (code === READ_ONLY) void this.end();
      });
      const socket = this.socket;
      this.limitSilence(true);
      socket.on('timeout', () => endIfStillSilent(socket));
    });
  }

  /** Checks connections of a pool whose address leads to the primary, as libpq's `target_session_attrs=primary`. */
  static requirePrimary(this: void, client: ClientBase, done: (fault?: Error) => void): void {
    done((client as PostgresClient).isStandby ? new StandbyError() : undefined);
  }

  /** Sets whether a long silence of the server ends the connection; off while statements have no time limit. */
  limitSilence(isLimited: boolean): void {
    this.socket.setTimeout(isLimited ? this.longestSilenceMs : 0);
  }

  /** The TCP or TLS connection; known once connected. */
  private get socket(): Socket {
    return this.connection.stream as Socket;
  }
}

/**
 * Ends the connection unless pending input brings a byte, or a statement was sent meanwhile: a timer of a busy or suspended
 * process fires before the input is read, and one of an idle connection in the turn in which it may be asked again.
 */
function endIfStillSilent(socket: Socket): void {
  const { bytesRead, bytesWritten } = socket;
  setImmediate(() => {
    if (socket.bytesRead !== bytesRead || socket.bytesWritten !== bytesWritten) return;
    socket.destroy(new SilentServerError());
  });
}
