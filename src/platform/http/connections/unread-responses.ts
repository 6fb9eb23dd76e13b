import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addGauge } from '../../telemetry/add-gauge';
import type { Metrics } from '../../telemetry/metrics';

/** Limits of what clients that do not read may cost. */
export interface UnreadLimits {
  /** Most bytes of responses that may wait in this process for their clients to read. */
  readonly maxBytes: number;
  /** Time between two checks of the connections, in milliseconds. */
  readonly checkMs: number;
  /** Consecutive checks without progress of its client after which a connection is cut. */
  readonly stalledChecks: number;
  /** Such checks after which it is cut when a response to another client needs the room. */
  readonly sparedChecks: number;
}

/**
 * Limits in force. 64 MiB is room for six of the largest lists (100 records of 100 KiB), an eighth of the memory that
 * `deploy/kubernetes` gives a process. The system takes bytes in steps of up to 1.5 MB: within 30 s a client is seen to read if
 * it reads 50 kB a second, and when memory is short, within 5 s, if it reads 360.
 */
export const UNREAD_LIMITS: UnreadLimits = {
  maxBytes: 64 * 1024 * 1024,
  checkMs: 1_000,
  stalledChecks: 30,
  sparedChecks: 5,
};

/** Data that a connection has to write and its client has not taken. */
interface Backlog {
  /** Size of the responses that were written and are not on their way as a whole. */
  bytes: number;
  /** Bytes that the system had taken at the last check. */
  taken: number;
  /** Consecutive checks without progress. */
  checks: number;
}

/**
 * Bounds the memory that responses take which clients do not read, and for how long. A response counts as a whole until its
 * last byte is handed to the system, because Node keeps it as a whole until then. Checks are counted and not time, so that a
 * process that was stopped for a while does not take its clients for stalled.
 */
export class UnreadResponses {
  /** Connections in the order of their last progress: the one that has stalled longest is the first. */
  private readonly backlogs = new Map<Socket, Backlog>();
  private bytes = 0;

  constructor(
    private readonly metrics: Metrics,
    private readonly limits: UnreadLimits,
  ) {
    addGauge(
      metrics.registry,
      'petstore_unread_response_bytes',
      'Bytes of finished responses that clients have not read yet.',
      () => this.bytes,
    );
  }

  /** Checks the connections of a server for as long as it listens. */
  watch(server: Server): void {
    const sockets = new Set<Socket>();
    let timer: NodeJS.Timeout | undefined;
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.once('close', () => {
        sockets.delete(socket);
        this.forget(socket);
      });
    });
    server.on('listening', () => {
      timer = setInterval(() => sockets.forEach((socket) => this.check(socket)), this.limits.checkMs).unref();
    });
    server.on('close', () => clearInterval(timer));
  }

  /** Counts the bytes of a response that its client has yet to read; to be called when the response has been ended. */
  add(response: ServerResponse): void {
    const bytes = response.writableLength;
    const { socket } = response.req;
    if (bytes === 0 || socket.destroyed) return;
    const backlog = this.backlogs.get(socket) ?? this.begin(socket);
    backlog.bytes += bytes;
    this.bytes += bytes;
    response.once('close', () => {
      if (this.backlogs.get(socket) !== backlog) return;
      backlog.bytes -= bytes;
      this.bytes -= bytes;
    });
    if (!this.hasRoomFor(0)) this.cut(socket, 'room');
  }

  /** Tells whether a response of this size may be begun; cuts connections that have stalled to make room for it. */
  hasRoomFor(bytes: number): boolean {
    const most = this.limits.maxBytes - bytes;
    for (const [socket, { checks }] of this.backlogs) {
      if (this.bytes <= most || checks < this.limits.sparedChecks) break;
      this.cut(socket, 'room');
    }
    return this.bytes <= most;
  }

  private check(socket: Socket): void {
    const backlog = this.backlogs.get(socket);
    if (socket.writableLength === 0) {
      // Data behind a response that is still being made do not wait for the client.
      if (backlog && backlog.bytes > 0) this.renew(socket, backlog);
      else if (backlog) this.forget(socket);
    } else if (!backlog) {
      this.begin(socket);
    } else if (backlog.taken !== takenOf(socket)) {
      this.renew(socket, backlog);
    } else if (++backlog.checks >= this.limits.stalledChecks) {
      this.cut(socket, 'stalled');
    }
  }

  private begin(socket: Socket): Backlog {
    const backlog = { bytes: 0, taken: takenOf(socket), checks: 0 };
    this.backlogs.set(socket, backlog);
    return backlog;
  }

  private renew(socket: Socket, backlog: Backlog): void {
    backlog.taken = takenOf(socket);
    backlog.checks = 0;
    this.backlogs.delete(socket);
    this.backlogs.set(socket, backlog);
  }

  private forget(socket: Socket): void {
    this.bytes -= this.backlogs.get(socket)?.bytes ?? 0;
    this.backlogs.delete(socket);
  }

  private cut(socket: Socket, reason: 'stalled' | 'room'): void {
    this.metrics.unreadConnectionsCut.add(reason);
    this.forget(socket);
    // A reset, since the system would go on offering what it holds of the response, up to 4 MB, for minutes.
    socket.resetAndDestroy();
  }
}

/**
 * Returns the bytes written to a socket that the system has taken. `writableLength` and `bytesWritten` count a write as a whole
 * until its last byte is taken; Node's own timeout of sockets checks at the handle as well.
 */
function takenOf(socket: Socket): number {
  const { _handle: handle } = socket as unknown as {
    readonly _handle: { readonly bytesWritten: number; readonly writeQueueSize: number } | null;
  };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}
