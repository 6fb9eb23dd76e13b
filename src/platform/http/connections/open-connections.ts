import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as TcpServer, type Socket } from 'node:net';
import { hasEnded } from '../exchange/end-together';
import { closeAfterResponse, lingerAtEnd, lingeringClose } from '../exchange/lingering-close';
import { exchangeOf } from '../exchange/exchange';
import { newestResponse } from './wire-errors';
import type { ServiceStage } from '../service-state';

/**
 * Time for which a connection without a request stays open once the server drains, in milliseconds: a request that was on its
 * way gets 503, where a closed connection would give it a reset.
 */
const IDLE_LINGER_MS = 250;

/** Interval at which connections without a request make room for others, in milliseconds. */
const ROOM_INTERVAL_MS = 1_000;

/** Time that its client then has to end its side, in milliseconds. */
const FAREWELL_MS = 500;

const late = new WeakSet<IncomingMessage>();
const crowded = new WeakSet<IncomingMessage>();

/** Connections of gateways whose clients are known. */
const ofKnown = new WeakSet<Socket>();

/**
 * Tells a request that a gateway of the server is to take over, by the handshake of WebSocket (RFC 6455, section 4.1). Any other
 * is served as if it had no Upgrade field.
 */
export function isHandshake(server: Server, { headers }: IncomingMessage): boolean {
  return (
    server.listenerCount('upgrade') > 0 &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    headers['sec-websocket-key'] !== undefined
  );
}

/** Keeps the connection of a gateway open, though it has no request, when others need its place: its client is known. */
export function keepConnection(socket: Socket): void {
  ofKnown.add(socket);
}

/** Tells whether the request arrived when its server was already draining. */
export function isLate(request: IncomingMessage): boolean {
  return late.has(request);
}

/** Tells whether the request arrived when only the places kept for health were left. */
export function isCrowded(request: IncomingMessage): boolean {
  return crowded.has(request);
}

/**
 * The connections of a server, and how they come to their end. Node's own `close` ends connections without a request at
 * once, waits for clients that have sent a part of one, stops timing them out, and goes on serving connections that were
 * busy when it was called.
 */
export class OpenConnections {
  private readonly sockets = new Set<Socket>();
  private state: ServiceStage = 'serving';
  private isMakingRoom = false;

  /**
   * @param server one that `attachWireErrors` was called with
   * @param kept places, of those that the server accepts, that connections without a known client do not keep occupied
   */
  constructor(
    private readonly server: Server,
    private readonly kept = 0,
  ) {
    server.on('connection', (socket) => {
      if (hasGone(socket)) {
        socket.destroy();
        return;
      }
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
      if (this.hasOnlyKeptPlaces) this.giveUpOldest(socket);
    });
    // As many as the server accepts are open: one client that opens them and asks nothing must not keep all others out.
    server.on('drop', () => this.makeRoom());
  }

  private get hasOnlyKeptPlaces(): boolean {
    return this.kept > 0 && this.sockets.size > this.server.maxConnections - this.kept;
  }

  /** Closes the oldest connection, besides the newest one, that waits for a client nobody knows. */
  private giveUpOldest(newest: Socket): void {
    for (const socket of this.sockets) {
      if (socket === newest || !waitsForStranger(socket)) continue;
      this.sockets.delete(socket);
      socket.destroy();
      return;
    }
  }

  private makeRoom(): void {
    if (this.isMakingRoom) return;
    this.isMakingRoom = true;
    endLater(this.sockets, waitsForStranger);
    setTimeout(() => (this.isMakingRoom = false), ROOM_INTERVAL_MS).unref();
  }

  get isDraining(): boolean {
    return this.state === 'draining';
  }

  /**
   * To be called when a request has arrived.
   *
   * @param previous the response to the request before it on this connection
   */
  begin(request: IncomingMessage, response: ServerResponse, previous: ServerResponse | undefined): void {
    if (this.hasOnlyKeptPlaces) crowded.add(request);
    if (this.state === 'serving') return;
    if (this.state === 'draining') late.add(request);
    if (previous?.headersSent === false) previous.shouldKeepAlive = true;
    // RFC 9112, section 9.6: after a response that says close, no request of the connection is carried out.
    else if (previous?.shouldKeepAlive === false) closeAfterResponse(request.socket);
    promiseClose(response);
  }

  /** Goes on serving; each response from now on says `Connection: close`, so that clients connect elsewhere next. */
  leave(): void {
    if (this.state !== 'serving') return;
    this.state = 'leaving';
    for (const { response } of this.running()) {
      // One whose header section is made has promised to keep the connection: the next request on it is to be served.
      if (!response.headersSent) promiseClose(response);
    }
  }

  /**
   * Takes no more connections, finishes the requests that run, refuses late ones with 503, and ends the connections as that
   * allows.
   *
   * @param graceMs milliseconds after which requests that still run are cut off
   * @returns the number of requests cut off, when the last connection has ended
   */
  async drain(graceMs: number): Promise<number> {
    this.leave();
    this.state = 'draining';
    const closed = this.stopListening();
    for (const { socket, response } of this.running()) {
      // Its header section may have been sent already, and have promised to keep the connection.
      response.once('close', () => endLater([socket]));
    }
    endLater(this.sockets);
    let cut = 0;
    const timer = setTimeout(() => (cut = this.destroyAll()), graceMs);
    await closed;
    clearTimeout(timer);
    // Nothing is left to close: this stops the timer that looks for late requests.
    this.server.close();
    return cut;
  }

  private stopListening(): Promise<void> {
    // The way of every server: that of HTTP servers would end idle connections and stop timing requests out as well.
    return new Promise((resolve) => TcpServer.prototype.close.call(this.server, () => resolve()));
  }

  /** @returns how many requests that cut off */
  private destroyAll(): number {
    const running = this.running().length;
    for (const socket of this.sockets) socket.destroy();
    return running;
  }

  /** The connections with a request under way, and the response to the newest of each. */
  private running(): { socket: Socket; response: ServerResponse }[] {
    return [...this.sockets].flatMap((socket) => {
      const response = newestResponse(socket);
      return response !== undefined && !response.writableFinished ? [{ socket, response }] : [];
    });
  }
}

/**
 * Tells whether the client has reset a new connection already: one that waited longer to be accepted than its client for the
 * response. Its request could be read all the same, and would be carried out for nobody.
 */
function hasGone(socket: Socket): boolean {
  return socket.remoteAddress === undefined;
}

function promiseClose(response: ServerResponse): void {
  response.shouldKeepAlive = false;
  lingerAtEnd(response.req.socket);
}

/** Ends those that have no request by then, or that are spare by another rule. */
function endLater(sockets: Iterable<Socket>, isSpare = isIdle): void {
  setTimeout(() => {
    for (const socket of sockets) {
      if (isSpare(socket) && !socket.writableEnded) lingeringClose(socket, FAREWELL_MS);
    }
  }, IDLE_LINGER_MS).unref();
}

function isIdle(socket: Socket): boolean {
  return newestResponse(socket)?.writableFinished ?? true;
}

/**
 * Tells whether a connection has no request, or one of which a part has still to come or the response has still to be taken,
 * by a client that has shown neither a valid key nor a session.
 */
function waitsForStranger(socket: Socket): boolean {
  if (isIdle(socket)) return !ofKnown.has(socket);
  const response = newestResponse(socket) as ServerResponse;
  return (!response.req.complete || hasEnded(response)) && !exchangeOf(response.req)?.isClientKnown;
}
