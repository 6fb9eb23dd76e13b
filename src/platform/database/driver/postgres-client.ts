import type { Socket } from 'node:net';
import { callbackify } from 'node:util';
import { Client, type ClientBase, type ClientConfig, type DatabaseError } from 'pg';

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

/** SQLSTATE of a write for which the disk has no room. */
const DISK_FULL = '53100';

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

/**
 * Sets what the service depends on, whatever server, database and role say: and only what differs, because a proxy that shares
 * connections may leave one to a client that sets anything. If the search path leads past the tables of the service in PostgreSQL's
 * own schema, that schema comes first.
 */
const SESSION = `
  SELECT set_config(name, value, false)
  FROM (VALUES ('DateStyle', 'ISO, MDY'), ('TimeZone', 'UTC'), ('IntervalStyle', 'postgres'), ('bytea_output', 'hex'),
    ('extra_float_digits', '1'), ('standard_conforming_strings', 'on')) AS needed (name, value)
  WHERE current_setting(name) <> value
  UNION ALL
  SELECT set_config('search_path', concat_ws(', ', quote_ident(nspname), NULLIF(current_setting('search_path'), '')), false)
  FROM pg_class AS found JOIN pg_namespace AS place ON place.oid = found.relnamespace
  WHERE found.oid = COALESCE(to_regclass('idempotent_answers'), to_regclass('public.idempotent_answers'))
    AND nspname IS DISTINCT FROM current_schema()`;

/** node-postgres' connection, which ends when its server does not answer or takes no writes, and never ends the process. */
export class PostgresClient extends Client {
  /** Time at which a server last had no room on its disk, by `performance.now()`. */
  static fullAt = -Infinity;
  /** What ended the connection; later statements report only that it has ended. */
  fault: Error | undefined;
  private readonly longestSilenceMs: number;
  /** True if the server says that it is a standby; PostgreSQL 14 and newer say so unasked. */
  private isStandby = false;

  /** @param config its `statement_timeout` is the server's own limit, which a server that hangs does not keep */
  constructor(config: ClientConfig) {
    super(config);
    // The pool removes its listener before the next user of the connection adds one. An error in between would have no
    // listener and end the process. It comes when the server ends the connection with the same bytes as the last statement.
    this.on('error', (fault) => (this.fault ??= fault));
    this.longestSilenceMs = Number(config.statement_timeout) + SILENCE_GRACE_MS;
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (parameterName === 'in_hot_standby') this.isStandby = parameterValue === 'on';
    });
    this.once('connect', () => {
      // A server that refuses writes is the primary no more, or was told to refuse them in this session.
      this.connection.on('errorMessage', (error: DatabaseError) => {
        const { code, severity } = error;
        // The statement under way is told by the driver; those behind it would learn only that the connection has ended.
        if (severity === 'FATAL') this.fault ??= error;
        if (code === READ_ONLY) void this.end();
        if (code === DISK_FULL) PostgresClient.fullAt = performance.now();
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

  /** Connects, and sets what the service depends on before anybody has the connection. */
  override connect(): Promise<this>;
  override connect(done: (error: Error | null, client: this) => void): void;
  override connect(done?: (error: Error | null, client: this) => void): Promise<this> | void {
    const connected = super.connect().then(() => this.prepare());
    if (!done) return connected;
    callbackify(() => connected)(done);
  }

  /** Sets whether a long silence of the server ends the connection; off while statements have no time limit. */
  limitSilence(isLimited: boolean): void {
    this.socket.setTimeout(isLimited ? this.longestSilenceMs : 0);
  }

  /** @throws errors of the driver, after which nobody has the connection */
  private async prepare(): Promise<this> {
    try {
      await this.query(SESSION);
      return this;
    } catch (error) {
      this.socket.destroy();
      throw error;
    }
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
