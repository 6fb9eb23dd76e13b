import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { newestResponse } from '../errors/wire-errors';

/**
 * The connections of a server, so that it can stop: Node itself waits for clients that have sent nothing yet or only a
 * part of a request, stops timing them out, and goes on serving connections that were busy when it was told to close.
 */
export class OpenConnections {
  private readonly sockets = new Set<Socket>();

  /** @param server one that `attachWireErrors` was called with */
  constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /**
   * Ends each connection: at once where no request runs, otherwise with the answer to it, or after the grace in
   * milliseconds. The server's own `close` reports the end of the last.
   */
  end(graceMs: number): void {
    this.server.prependListener('request', (_request, response) => endWith(response));
    for (const socket of this.sockets) {
      const response = newestResponse(socket);
      if (response !== undefined && !response.writableFinished) endWith(response);
      else endNow(socket);
    }
    setTimeout(() => this.sockets.forEach((socket) => socket.destroy()), graceMs).unref();
  }
}

function endWith(response: ServerResponse): void {
  const { socket } = response.req;
  response.shouldKeepAlive = false;
  // Its header section may have been sent already, and have promised to keep the connection.
  response.once('close', () => endNow(socket));
}

function endNow(socket: Socket): void {
  // Ended already: by an answer whose last bytes the client may still be reading.
  if (!socket.writableEnded) socket.destroySoon();
}
